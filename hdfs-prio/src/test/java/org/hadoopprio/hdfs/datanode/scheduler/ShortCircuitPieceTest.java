// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.linux.DescriptorNumber;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests short-circuit reads at the queue of a volume on this machine's disk. */
@Timeout(60)
class ShortCircuitPieceTest {

  private static final long LONG = 1 << 20;
  private static final IoPriority RT0 = IoPriority.realtime(0);

  private final Configuration conf = new Configuration(false);
  private final Path directory = Path.of("").toAbsolutePath();
  private final FsVolumeSpi volume =
      Stubs.answering(FsVolumeSpi.class, "getBaseURI", directory::toUri);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Path file;

  @BeforeEach
  void needsABlockDevice() {
    WorkingDirectory.requireBlockDevice();
    // Whether or not this machine's disk rotates.
    conf.set(SchedulerKeys.STREAMS.name(), "1");
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private ShortCircuitPiece read(long block, long offset, long length, IoPriority priority) {
    return ShortCircuitPiece.of(
        new BlockRead(Volumes.of(conf, volume), block, offset, length),
        priority,
        new DiskRequest(Hint.NOTHING));
  }

  /** A replica without files, of which only the page cache is known. */
  static class Replica implements ReplicaFiles {
    private final boolean cached;

    Replica(boolean cached) {
      this.cached = cached;
    }

    @Override
    public FileInputStream data() throws IOException {
      throw new FileNotFoundException("data");
    }

    @Override
    public FileInputStream checksums() throws IOException {
      throw new FileNotFoundException("checksums");
    }

    @Override
    public boolean isCached() {
      return cached;
    }

    @Override
    public void waits() {}
  }

  private static void enterAtOnce(ShortCircuitPiece read) throws RefusedReadException {
    read.enter(
        new Replica(false) {
          @Override
          public void waits() {
            throw new AssertionError("must wait");
          }
        });
  }

  private Future<?> enter(ShortCircuitPiece read) {
    return threads.submit(
        () -> {
          read.enter(new Replica(false));
          return null;
        });
  }

  private long waiting() {
    return Volumes.of(conf, volume).status().getQueue().getBestEffort().getWaiting();
  }

  private Future<?> enterAndWait(ShortCircuitPiece read) {
    return enterAndWait(read, 1);
  }

  /** The same for the one that makes them so many that wait. */
  private Future<?> enterAndWait(ShortCircuitPiece read, int together) {
    Future<?> entering = enter(read);
    awaitWaiting(entering, together);
    return entering;
  }

  private void awaitWaiting(Future<?> entering, int together) {
    soon(together + " wait")
        .failFast("must wait", entering::isDone)
        .until(this::waiting, waiting -> waiting >= together);
  }

  @Test
  void streamsTakeTurns() throws Exception {
    ShortCircuitPiece first = read(1, 0, LONG, null);
    enterAtOnce(first);
    ShortCircuitPiece second = read(2, 0, LONG, null);
    final Future<?> entering = enterAndWait(second);
    // The queue has looked once more when it holds this one back, too.
    ShortCircuitPiece third = read(3, 0, LONG, null);
    final Future<?> last = enterAndWait(third, 2);
    assertFalse(entering.isDone(), "while the first one reads");
    first.leave();
    entering.get(10, TimeUnit.SECONDS);
    assertFalse(last.isDone(), "while the second one reads");
    first.leave();
    second.leave();
    last.get(10, TimeUnit.SECONDS);
    third.leave();
  }

  private long turns() {
    return Volumes.of(conf, volume).status().getQueue().getTurns();
  }

  /** Whether a stream that asks again has its turn still, while another waits for one. */
  private boolean keepsItsTurn() throws Exception {
    ShortCircuitPiece first = read(1, 0, LONG, null);
    // Another may have its turn for a moment more, from the time before.
    first.enter(new Replica(false));
    ShortCircuitPiece other = read(2, 0, LONG, null);
    final Future<?> entering =
        threads.submit(
            () -> {
              other.enter(new Replica(false));
              other.leave();
              return null;
            });
    awaitWaiting(entering, 1);
    long turns = turns();
    first.leave();
    ShortCircuitPiece next = read(1, first.bytes(), LONG, null);
    next.enter(new Replica(false));
    boolean kept = turns == turns();
    next.leave();
    entering.get(10, TimeUnit.SECONDS);
    return kept;
  }

  /** Once of some times: a thread that is held up for longer than the grace, 1 ms, loses it. */
  @Test
  void aStreamThatAsksAgainAtOnceKeepsItsTurn() throws Exception {
    int times = 1;
    while (!keepsItsTurn()) {
      assertTrue(++times <= 10, "it has lost its turn each time");
    }
  }

  @Test
  void whatIsCachedWaitsForNobody() throws Exception {
    ShortCircuitPiece first = read(1, 0, LONG, null);
    enterAtOnce(first);
    ShortCircuitPiece cached = read(2, 0, LONG, null);
    cached.enter(new Replica(true));
    cached.leave();
    first.leave();
  }

  private static boolean isRefused(ShortCircuitPiece read) {
    try {
      enterAtOnce(read);
      return false;
    } catch (RefusedReadException e) {
      return true;
    } finally {
      read.leave();
    }
  }

  @Test
  void aReadThatWouldBeLateIsRefusedIfItsClientCanGoElsewhere() throws Exception {
    ShortCircuitPiece stuck = read(1, 0, 65536, RT0);
    enterAtOnce(stuck);
    IoPriority target = IoPriority.parse("rt:0@20ms");
    BlockRead what = new BlockRead(Volumes.of(conf, volume), 2, 0, 65536);
    Hint hint = Hint.of(target, null);
    soon("a read is refused, as the one that is stuck has taken so long")
        .until(
            () ->
                isRefused(
                    ShortCircuitPiece.of(
                        what.with(hint.refusable()), target, new DiskRequest(Hint.NOTHING))));
    ShortCircuitPiece cached =
        ShortCircuitPiece.of(what.with(hint.refusable()), target, new DiskRequest(Hint.NOTHING));
    cached.enter(new Replica(true));
    cached.leave();
    ShortCircuitPiece last =
        ShortCircuitPiece.of(what.with(hint), target, new DiskRequest(Hint.NOTHING));
    enterAtOnce(last);
    last.leave();
    stuck.leave();
  }

  @Test
  void aRealtimeReadGoesAtOnceAndHoldsTheOthers() throws Exception {
    ShortCircuitPiece stream = read(1, 0, LONG, null);
    enterAtOnce(stream);
    ShortCircuitPiece realtime = read(2, 0, 65536, RT0);
    enterAtOnce(realtime);
    stream.leave();
    ShortCircuitPiece other = read(3, 0, LONG, null);
    final Future<?> entering = enterAndWait(other);
    ShortCircuitPiece another = read(4, 0, LONG, null);
    final Future<?> last = enterAndWait(another, 2);
    assertFalse(entering.isDone(), "while real-time reads");
    realtime.leave();
    realtime.leave();
    entering.get(10, TimeUnit.SECONDS);
    other.leave();
    last.get(10, TimeUnit.SECONDS);
    another.leave();
  }

  private boolean areTwo() {
    return Volumes.of(conf, volume).queue().realtimeReaders().areMany(64 << 20, 0);
  }

  @Test
  void realtimeReadsAreCountedWhileTheyGoOn() throws Exception {
    ShortCircuitPiece first = read(1, 0, 65536, RT0);
    enterAtOnce(first);
    assertFalse(areTwo(), "one");
    ShortCircuitPiece second = read(2, 0, 65536, RT0);
    enterAtOnce(second);
    assertTrue(areTwo());
    second.leave();
    second.leave();
    assertFalse(areTwo(), "one has left");
    ShortCircuitPiece third = read(3, 0, 65536, RT0);
    enterAtOnce(third);
    assertTrue(areTwo(), "it has left once");
    third.leave();
    first.leave();
  }

  @Test
  void neitherAStreamCountsAsRealtimeNorWhoNeverCameIn() throws Exception {
    ShortCircuitPiece first = read(1, 0, 65536, RT0);
    enterAtOnce(first);
    first.leave();
    ShortCircuitPiece stream = read(2, 0, LONG, null);
    enterAtOnce(stream);
    Replica gone =
        new Replica(false) {
          @Override
          public void waits() {
            throw new UncheckedIOException(new IOException("the client is gone"));
          }
        };
    for (int i = 0; i < 2; i++) {
      ShortCircuitPiece failing = read(3, 0, 65536, RT0.within(60_000));
      assertThrows(UncheckedIOException.class, () -> failing.enter(gone));
      failing.leave();
    }
    stream.leave();
    ShortCircuitPiece last = read(4, 0, 65536, RT0);
    enterAtOnce(last);
    assertFalse(areTwo());
    last.leave();
  }

  @Test
  void theClientOfARealtimeReadThatWaitsIsToldFirst() throws Exception {
    List<ShortCircuitPiece> inside = new ArrayList<>();
    for (int i = 0; i < Disk.REALTIME_DEPTH; i++) {
      inside.add(read(10 + i, 0, 65536, RT0));
      enterAtOnce(inside.get(i));
    }
    ShortCircuitPiece oneTooMany = read(1, 0, 65536, RT0);
    CountDownLatch told = new CountDownLatch(1);
    Future<?> entering =
        threads.submit(
            () -> {
              oneTooMany.enter(
                  new Replica(false) {
                    @Override
                    public void waits() {
                      told.countDown();
                    }
                  });
              return null;
            });
    assertTrue(told.await(10, TimeUnit.SECONDS), "while the disk hangs");
    assertFalse(entering.isDone(), "it waits");
    ShortCircuitPiece cached = read(2, 0, 65536, RT0);
    cached.enter(new Replica(true));
    cached.leave();
    inside.forEach(ShortCircuitPiece::leave);
    entering.get(10, TimeUnit.SECONDS);
    oneTooMany.leave();
  }

  @Test
  void aRealtimeReadWithALatencyTargetIsHeldBesideAStreamAndItsClientToldToWait() throws Exception {
    ShortCircuitPiece stream = read(1, 0, LONG, null);
    enterAtOnce(stream);
    AtomicBoolean told = new AtomicBoolean();
    long begun = System.nanoTime();
    ShortCircuitPiece held = read(2, 0, 65536, RT0.within(250));
    held.enter(
        new Replica(false) {
          @Override
          public void waits() {
            told.set(true);
          }
        });
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    assertTrue(told.get() && millis >= 100, told + ", " + millis + " ms");
    assertEquals(RT0, held.priority(), "the thread's priority has no target");
    held.leave();
    ShortCircuitPiece cached = read(3, 0, 65536, RT0.within(60_000));
    cached.enter(new Replica(true));
    cached.leave();
    stream.leave();
  }

  /** Waits until a read is held; its client is told to wait before that. */
  private Future<?> enterAndBeHeld(ShortCircuitPiece read) {
    long before = held();
    Future<?> entering = enter(read);
    soon("the read is held")
        .failFast("must be held", entering::isDone)
        .until(() -> held() != before);
    return entering;
  }

  private long held() {
    return Volumes.of(conf, volume).status().getQueue().getRealtime().getWaiting();
  }

  @Test
  void aSecondRequestAtThePlaceOfOneThatIsHeldIsHeldAsWell() throws Exception {
    ShortCircuitPiece stream = read(1, 0, LONG, null);
    enterAtOnce(stream);
    IoPriority patient = RT0.within(60_000);
    ShortCircuitPiece held = read(2, 0, 4096, patient);
    final Future<?> first = enterAndBeHeld(held);
    ShortCircuitPiece twin = read(2, 0, 4096, patient);
    final Future<?> second = enterAndBeHeld(twin);
    ShortCircuitPiece behind = read(2, 4096, 4096, patient);
    final Future<?> third = enterAndBeHeld(behind);
    stream.leave();
    first.get(10, TimeUnit.SECONDS);
    second.get(10, TimeUnit.SECONDS);
    third.get(10, TimeUnit.SECONDS);
    held.leave();
    twin.leave();
    behind.leave();
  }

  @Test
  void onlyAReadThatHadATurnIsContinued() throws Exception {
    ShortCircuitPiece stream = read(1, 0, LONG, null);
    enterAtOnce(stream);
    ShortCircuitPiece held = read(2, 0, 65536, RT0.within(250));
    held.enter(new Replica(false));
    held.leave();
    IoPriority patient = RT0.within(60_000);
    ShortCircuitPiece next = read(2, 65536, 65536, patient);
    enterAtOnce(next);
    next.leave();

    ShortCircuitPiece cached = read(3, 0, 65536, patient);
    cached.enter(new Replica(true));
    cached.leave();
    ShortCircuitPiece fresh = read(3, 65536, 65536, patient);
    final Future<?> entering = enterAndBeHeld(fresh);
    stream.leave();
    entering.get(10, TimeUnit.SECONDS);
    fresh.leave();
  }

  @Test
  void realtimeReadsLessAtATime() {
    assertEquals(512 << 10, read(1, 0, LONG, null).bytes());
    assertEquals(256 << 10, read(1, 0, LONG, RT0).bytes());
    assertEquals(4096, read(1, 0, 4096, RT0).bytes());
    assertEquals(RT0, read(1, 0, 4096, RT0).priority());
  }

  private boolean heedsTargets(FsVolumeSpi of) {
    Volume volume = Volumes.of(conf, of);
    return volume.heedsTargets(volume.mode());
  }

  @Test
  void onOtherVolumesNobodyAsks() {
    conf.set(SchedulerKeys.MODE.name(), "order");
    BlockRead what = new BlockRead(Volumes.of(conf, volume), 1, 0, LONG);
    assertFalse(heedsTargets(volume));
    assertNull(ShortCircuitPiece.of(what, null, new DiskRequest(Hint.NOTHING)));
    assertFalse(heedsTargets(null));
  }

  @Test
  void ofAStreamThatSharesTheDiskTheDataNodeReadsAhead() throws Exception {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    file = Files.createTempFile(directory, "local-read", ".tmp");
    try (FileChannel data = FileChannel.open(file, StandardOpenOption.WRITE)) {
      data.write(ByteBuffer.allocate(8 << 20));
      data.force(true);
      ShortCircuitPiece realtime = read(9, 0, 1, RT0);
      enterAtOnce(realtime);
      realtime.leave();

      FileReplica replica = new FileReplica();
      ShortCircuitPiece first = read(1, 0, LONG, null);
      first.enter(replica);
      assertEquals(1, replica.waits);
      // It has no turn itself: another one need not wait for it.
      ShortCircuitPiece other = read(2, 0, LONG, IoPriority.bestEffort(0));
      assertEquals(0, waiting());
      other.enter(new Replica(false));
      other.leave();
      first.leave();
      StreamTable streams = Volumes.of(conf, volume).queue().streams();
      soon("the stream is read ahead")
          .until(
              () ->
                  streams.readAhead(1, 4 << 20, new Owner(DiskClass.BEST_EFFORT, Tenant.DEFAULT))
                      != null);
      // It says nothing while it reads what it finds in the page cache.
      ShortCircuitPiece later = read(1, 3L << 20, 64 << 10, null);
      later.enter(replica);
      assertEquals(1, replica.waits, "it has been read ahead");
      later.leave();
      ShortCircuitPiece ofOtherLevel = read(1, 3L << 20, 64 << 10, IoPriority.bestEffort(7));
      ofOtherLevel.enter(replica);
      assertEquals(2, replica.waits, "what another level has read ahead is not its own");
      ofOtherLevel.leave();
      assertNull(
          streams.readAhead(1, 100 << 20, new Owner(DiskClass.BEST_EFFORT, Tenant.DEFAULT)),
          "another place");
    } finally {
      Files.delete(file);
    }
  }

  /** A replica whose data and checksums are one file. */
  private final class FileReplica extends Replica {
    private int waits;

    FileReplica() {
      super(false);
    }

    @Override
    public FileInputStream data() throws IOException {
      return new FileInputStream(file.toFile());
    }

    @Override
    public FileInputStream checksums() throws IOException {
      return data();
    }

    @Override
    public void waits() {
      waits++;
    }
  }
}
