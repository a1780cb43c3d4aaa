// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitWaiting;
import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.linux.BlockDevice;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.FileExtent;
import org.hadoopprio.linux.ThreadIoPriority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests with a file on the disk that the build is on, most with a page cache that is not real. */
@Timeout(60)
class ScheduledWriteTest {

  private static final int MIB = 1 << 20;
  private static final Duration LESS_THAN_A_SYNC_WAITS = Duration.ofSeconds(10);

  private final VolumeQueue queue = queue(System::nanoTime);

  /** A stream that reads. */
  private final Ticket reader = be(4, new Stream());

  private Path file;
  private FileOutputStream out;
  private long length;

  @BeforeAll
  static void openJavaIo() {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
  }

  @BeforeEach
  void aFile() throws IOException {
    file = Files.createTempFile(Path.of("").toAbsolutePath(), "written", ".tmp");
    out = new FileOutputStream(file.toFile());
  }

  @AfterEach
  void remove() throws IOException {
    out.close();
    Files.delete(file);
  }

  private static VolumeQueue queue(VolumeClock clock) {
    return queue(clock, reads -> false);
  }

  private static VolumeQueue queue(VolumeClock clock, DeviceQueue device) {
    return new VolumeQueue(
        "/data/1",
        SchedulerSettings.of(new Configuration(false)).limits(),
        1,
        clock,
        device,
        () -> true);
  }

  private ScheduledWrite write(IoPriority priority) {
    return write(queue, priority, source -> new DirtyFile(true));
  }

  private static ScheduledWrite write(
      VolumeQueue queue, IoPriority priority, WrittenFile.Opener opener) {
    return write(queue, queue.writes().backlog(null), priority, opener);
  }

  private static ScheduledWrite write(
      VolumeQueue queue, WriteBacklog backlog, IoPriority priority, WrittenFile.Opener opener) {
    ScheduledWrite write =
        new ScheduledWrite(queue, backlog, priority, 1, VolumeQueue.MAX_WAIT_NANOS, 0, MIB, opener);
    queue.writes().add(write);
    return write;
  }

  /** Receives some data, as a DataXceiver does. */
  private void receive(ScheduledWrite write, int mib) {
    try {
      for (int i = 0; i < mib; i++) {
        out.write(new byte[MIB]);
        length += MIB;
        write.written(out.getFD(), length);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A file of which the kernel has written nothing. */
  private static class DirtyFile implements WrittenFile {

    private final boolean works;
    private volatile boolean closed;
    private volatile long startedTo;

    DirtyFile(boolean works) {
      this.works = works;
    }

    @Override
    public long place(long offset) {
      return FileExtent.UNKNOWN;
    }

    @Override
    public boolean isClean(long offset, long length) {
      return false;
    }

    @Override
    public boolean startWrite(long offset, long length) {
      startedTo = offset + length;
      return works;
    }

    @Override
    public boolean awaitWritten(long offset, long length) {
      return works;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private void awaitFree() {
    soon("the disk is free").until(this::isFree);
  }

  private static void assertWaits(CompletableFuture<?> work) {
    assertThrows(TimeoutException.class, () -> work.get(100, TimeUnit.MILLISECONDS));
  }

  private boolean isFree() {
    Ticket probe = be(4, new Stream());
    boolean free = queue.enter(probe, () -> true);
    queue.done(probe);
    return free;
  }

  @Test
  void withoutReadersNobodyTakesTurns() {
    receive(write(IoPriority.bestEffort(7)), 64);
    receive(write(null), 64);
    assertEquals(0, queue.counters().turns());
  }

  @Test
  void besideAReaderItTakesTurnsThatItsThreadDoesNotWaitFor() throws Exception {
    assertTrue(queue.enter(reader, () -> false));
    ScheduledWrite write = write(null);
    CompletableFuture.runAsync(() -> receive(write, 40)).get(10, TimeUnit.SECONDS);
    awaitWaiting(queue, 1);
    assertEquals(40L * MIB, queue.writes().backlog(null).bytes());
    queue.done(reader);
    soon("all is written").until(() -> queue.writes().backlog(null).bytes() == 0);
    write.finish();
    awaitFree();
  }

  /**
   * What of a write of 16 MiB a drive that takes all at once is given in a turn, if a stream has
   * read 84 MB a second from the disk, and another one waits.
   */
  private long writtenInATurn(VolumeQueue shared) throws Exception {
    assertTrue(shared.enter(reader, () -> false));
    reader.readFromDisk(8 * MIB);
    Thread.sleep(110);
    shared.done(reader);
    DirtyFile cached = new DirtyFile(true);
    ScheduledWrite write = write(shared, null, source -> cached);
    assertTrue(shared.enter(reader, () -> false));
    receive(write, 16);
    awaitWaiting(shared, 1);
    // It has the weight of the write, which has waited longer and so goes first.
    Ticket next = new Ticket(null, 1, new Stream());
    CompletableFuture<?> reads = CompletableFuture.runAsync(() -> shared.enter(next, () -> false));
    awaitWaiting(shared, 2);
    shared.done(reader);
    reads.get(10, TimeUnit.SECONDS);
    long written = cached.startedTo;
    shared.done(next);
    write.finish();
    return written;
  }

  /** Or the drive would write it in the turns of others. A turn has 100 ms. */
  @Test
  void aDriveThatCachesGetsWhatTheDiskWritesInATurn() throws Exception {
    long written = writtenInATurn(queue);
    assertTrue(written > 0 && written <= 9L * MIB, written + " bytes");
    awaitFree();
  }

  @Test
  void aDriveWithoutAWriteCacheIsNotWaitedFor() throws Exception {
    DeviceQueue writesThrough =
        new KernelQueue(
            () -> new BlockDevice.InFlight(0, 0), () -> 0, () -> false, System::nanoTime);
    assertEquals(16L * MIB, writtenInATurn(queue(System::nanoTime, writesThrough)));
  }

  @Test
  void aboveTheLimitThoseWaitThatHaveMoreThanATurn() throws Exception {
    WriteBacklog little = new WriteBacklog(() -> 32L * MIB);
    assertTrue(queue.enter(reader, () -> false));
    ScheduledWrite large = write(queue, little, null, source -> new DirtyFile(true));
    CompletableFuture<Void> received = CompletableFuture.runAsync(() -> receive(large, 40));
    soon("the backlog is full").until(little::isFull);
    assertWaits(received);
    assertEquals(32L * MIB, length);
    for (int i = 0; i < 4; i++) {
      ScheduledWrite small = write(queue, little, null, source -> new DirtyFile(true));
      for (long upTo = 0; upTo < 8L * MIB; upTo += MIB) {
        small.written(out.getFD(), upTo);
      }
    }
    assertWaits(received);
    queue.done(reader);
    received.get();
  }

  @Test
  void aWriteWhoseThreadIsBlockedTakesTurnsWhenReadersCome() throws Exception {
    ScheduledWrite write = write(null);
    receive(write, 8);
    assertEquals(0, queue.counters().turns());
    Ticket get = Tickets.realtime();
    queue.enterRealtime(get, false);
    awaitWaiting(queue, 1);
    queue.doneRealtime(get);
    soon("one turn").until(() -> queue.counters().turns() == 1);
    awaitFree();
    write.finish();
  }

  @Test
  void whatCameBeforeReadersDidIsNotWaitedFor() throws Exception {
    ScheduledWrite write = write(null);
    receive(write, 64);
    assertTrue(queue.enter(reader, () -> false));
    CompletableFuture.runAsync(() -> receive(write, 2)).get(10, TimeUnit.SECONDS);
    queue.done(reader);
    write.finish();
    awaitFree();
  }

  @Test
  void cleanDataTakesNoTurn() throws Exception {
    ScheduledWrite write = write(queue, null, CachedFile::open);
    receive(write, 8);
    out.getFD().sync();
    assertTrue(queue.enter(reader, () -> false));
    write.finish();
    soon("the write has closed the file").until(() -> timesOpen() == 1);
    assertEquals(1, queue.counters().turns());
  }

  @Test
  void whatIsSyncedIsNotWrittenAgain() throws Exception {
    DirtyFile data = new DirtyFile(true);
    ScheduledWrite write = write(queue, null, source -> data);
    receive(write, 2);
    write.syncBegins(out.getFD());
    write.syncEnds();
    assertTrue(queue.enter(reader, () -> false));
    write.finish();
    soon("the file is closed").until(() -> data.closed);
    assertEquals(1, queue.counters().turns());
  }

  /** How many times this process has the file open. */
  private long timesOpen() {
    try (java.util.stream.Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(this::isFile).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isFile(Path link) {
    try {
      return Files.readSymbolicLink(link).equals(file);
    } catch (IOException e) {
      // Closed meanwhile.
      return false;
    }
  }

  @Test
  void whatIsLeftAtTheEndIsWrittenAfterwards() throws Exception {
    assertTrue(queue.enter(reader, () -> false));
    ScheduledWrite write = write(null);
    receive(write, 4);
    write.finish();
    awaitWaiting(queue, 1);
    queue.done(reader);
    soon("two turns").until(() -> queue.counters().turns() == 2);
    awaitFree();
  }

  /** Otherwise whoever writes many short files has them all open until their turns come. */
  @Test
  void aShortEndIsWrittenAtOnceAndKeepsNoFileOpen() throws Exception {
    DirtyFile data = new DirtyFile(true);
    assertTrue(queue.enter(reader, () -> false));
    ScheduledWrite write = write(queue, IoPriority.bestEffort(7), source -> data);
    write.written(out.getFD(), MIB / 2);
    write.finish();
    assertTrue(data.closed);
    assertEquals(MIB / 2, data.startedTo);
    assertEquals(0, queue.status().getBestEffort().getWaiting());
  }

  @Test
  void whatIsWrittenAtIdleMakesNoOtherWriteWait() {
    WriteBacklog idle = queue.writes().backlog(IoPriority.IDLE);
    idle.change(0, Long.MAX_VALUE);
    assertTrue(idle.isFull());
    assertFalse(queue.writes().backlog(IoPriority.bestEffort(7)).isFull());
    assertFalse(queue.writes().backlog(null).isFull());
  }

  @Test
  void whatIsStillWrittenToIsNotBroughtToTheDisk() throws Exception {
    DirtyFile data = new DirtyFile(true);
    ScheduledWrite write = write(queue, null, source -> data);
    assertTrue(queue.enter(reader, () -> false));
    int odd = 100_000;
    write.written(out.getFD(), 8L * MIB + odd);
    queue.done(reader);
    soon("all but the last is written").until(() -> queue.writes().backlog(null).bytes() == odd);
    assertEquals(8L * MIB, data.startedTo);
  }

  @Test
  void theEndOfAWriteDoesNotWaitForADiskThatHangs() throws Exception {
    CountDownLatch works = new CountDownLatch(1);
    DirtyFile hangs =
        new DirtyFile(true) {
          @Override
          public boolean awaitWritten(long offset, long length) {
            try {
              works.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return true;
          }
        };
    assertTrue(queue.enter(reader, () -> false));
    ScheduledWrite write = write(queue, null, source -> hangs);
    receive(write, 16);
    queue.done(reader);
    soon("two turns").until(() -> queue.counters().turns() == 2);
    // The DataXceiver's thread ends, and is no load that the NameNode counts.
    CompletableFuture.runAsync(write::finish).get(10, TimeUnit.SECONDS);
    assertFalse(hangs.closed);
    works.countDown();
    soon("the file is closed").until(() -> hangs.closed);
  }

  /** A write whose sync has waited for the reader, and has the disk now. */
  private ScheduledWrite syncsAfterTheReader() throws Exception {
    assertTrue(queue.enter(reader, () -> false));
    ScheduledWrite write = write(IoPriority.bestEffort(0));
    receive(write, 1);
    CompletableFuture<Void> synced = CompletableFuture.runAsync(() -> sync(write));
    assertWaits(synced);
    queue.done(reader);
    synced.get();
    assertFalse(isFree(), "the sync has the disk");
    return write;
  }

  @Test
  void aSyncHasTheDiskToItself() throws Exception {
    ScheduledWrite write = syncsAfterTheReader();
    write.syncEnds();
    awaitFree();
    assertEquals(null, ThreadIoPriority.applied());
  }

  /**
   * The files are synced one after the other, and once more when a write that failed closes them.
   */
  @Test
  void theSyncOfTwoFilesIsOneAndAfterTheEndThereIsNone() throws Exception {
    ScheduledWrite write = syncsAfterTheReader();
    sync(write);
    write.finish();
    awaitFree();
    soon("the write has closed the file").until(() -> timesOpen() == 1);
    sync(write);
    assertTrue(isFree(), "it is over");
    assertEquals(1, timesOpen());
    write.syncEnds();
  }

  @Test
  void aSyncDoesNotWaitForWhatCameBeforeReadersDid() throws Exception {
    ScheduledWrite write = write(null);
    receive(write, 64);
    assertTrue(queue.enter(reader, () -> false));
    receive(write, 3);
    CompletableFuture<Void> synced = CompletableFuture.runAsync(() -> sync(write));
    soon("what came before is passed")
        .atMost(LESS_THAN_A_SYNC_WAITS)
        .until(() -> write.position() == 64L * MIB);
    queue.done(reader);
    synced.get(10, TimeUnit.SECONDS);
    write.syncEnds();
    write.finish();
    awaitFree();
  }

  /** A turn writes no less than a piece, so nobody waits for less. */
  @Test
  void aSyncWaitsForWholePiecesOnly() throws Exception {
    int behind = ScheduledWrite.PIECE_BYTES / 4;
    ScheduledWrite write =
        new ScheduledWrite(
            queue,
            queue.writes().backlog(null),
            null,
            1,
            VolumeQueue.MAX_WAIT_NANOS,
            0,
            behind,
            source -> new DirtyFile(true));
    queue.writes().add(write);
    assertTrue(queue.enter(reader, () -> false));
    for (int i = 1; i <= 3; i++) {
      write.written(out.getFD(), (long) i * behind);
    }
    CompletableFuture<Void> synced = CompletableFuture.runAsync(() -> sync(write));
    awaitSync(queue);
    queue.done(reader);
    synced.get(10, TimeUnit.SECONDS);
    write.syncEnds();
    write.finish();
  }

  /** Its client waits for all of it; what a packet has waited for its sync counts. */
  @Test
  void theWaitsOfOnePacketTogetherAreNoLongerThanOne() throws Exception {
    AtomicLong clock = new AtomicLong();
    VolumeQueue other = queue(clock::get);
    CountDownLatch end = new CountDownLatch(1);
    DirtyFile hangs =
        new DirtyFile(true) {
          @Override
          public boolean awaitWritten(long offset, long length) {
            await(end);
            return true;
          }
        };
    assertTrue(other.enter(reader, () -> false));
    ScheduledWrite write = write(other, new WriteBacklog(() -> 1), null, source -> hangs);
    CompletableFuture<Void> synced = CompletableFuture.runAsync(() -> sync(write));
    awaitSync(other);
    clock.addAndGet(VolumeQueue.MAX_WAIT_NANOS);
    reader.resume(clock.get());
    other.look();
    synced.get(10, TimeUnit.SECONDS);
    write.syncEnds();
    FileDescriptor descriptor = out.getFD();
    CompletableFuture<Void> written =
        CompletableFuture.runAsync(() -> write.written(descriptor, 64L * MIB));
    try {
      written.get(10, TimeUnit.SECONDS);
    } finally {
      end.countDown();
      written.get();
      write.finish();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitSync(VolumeQueue queue) {
    soon("the sync waits for a turn")
        .atMost(LESS_THAN_A_SYNC_WAITS)
        .until(() -> queue.status().getBestEffort().getWaiting() == 1);
  }

  private void sync(ScheduledWrite write) {
    try {
      write.syncBegins(out.getFD());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatComesWhenATurnEndsIsWrittenInAnother() throws Exception {
    AtReturn atReturn = new AtReturn();
    VolumeQueue watched = queue(atReturn);
    assertTrue(watched.enter(reader, () -> false));
    ScheduledWrite write = write(watched, IoPriority.bestEffort(4), source -> new DirtyFile(true));
    receive(write, 8);
    watched.done(reader);
    Thread turns = atReturn.thread.get();
    // It has found nothing more to write, and has not yet said so.
    out.write(new byte[MIB / 2]);
    write.written(out.getFD(), length + MIB / 2);
    synchronized (write) {
      atReturn.goOn.countDown();
      soon("the thread needs the lock").until(() -> turns.getState() == Thread.State.BLOCKED);
      assertTrue(watched.enter(reader, () -> false));
      write.finish();
    }
    awaitWaiting(watched, 1);
    watched.done(reader);
  }

  /** The time; stops the first thread that returns a turn of its own. */
  private static final class AtReturn implements VolumeClock {

    final CompletableFuture<Thread> thread = new CompletableFuture<>();
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public long getAsLong() {
      if (!thread.isDone() && isAtReturn() && thread.complete(Thread.currentThread())) {
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return System.nanoTime();
    }

    private static boolean isAtReturn() {
      return Thread.currentThread().getName().contains("turns")
          && StackWalker.getInstance()
              .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("done")));
    }
  }

  @Test
  void aVolumeIsNotRemovedWhileAWriteHasItsFileOpen() {
    AtomicInteger references = new AtomicInteger();
    FsVolumeReference reference =
        Stubs.answering(FsVolumeReference.class, "close", references::decrementAndGet);
    Callable<FsVolumeReference> obtained =
        () -> {
          references.incrementAndGet();
          return reference;
        };
    URI base = file.getParent().toUri();
    FsVolumeSpi volume =
        Stubs.answering(
            FsVolumeSpi.class, Map.of("getBaseURI", () -> base, "obtainReference", obtained));
    Volume known = Volumes.of(new Configuration(false), volume);
    DiskRequest request = new DiskRequest(Hint.NOTHING);
    request.admitted(known, IoPriority.bestEffort(2), () -> {}, List.of());
    ScheduledWrite write = ScheduledWrite.of(known, volume, request, 0, 0, MIB);
    receive(write, 1);
    assertEquals(1, references.get());
    write.finish();
    assertEquals(0, references.get());
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    WriteBacklog little = new WriteBacklog(() -> 16L * MIB);
    assertTrue(queue.enter(reader, () -> false));
    ScheduledWrite write = write(queue, little, null, source -> new DirtyFile(true));
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread receiver =
        new Thread(
            () -> {
              receive(write, 18);
              interrupted.complete(Thread.currentThread().isInterrupted());
            });
    receiver.start();
    assertWaits(interrupted);
    receiver.interrupt();
    assertTrue(interrupted.get(), "the interrupt is kept");
    queue.done(reader);
    write.finish();
    soon("all is written").until(() -> little.bytes() == 0);
  }

  @Test
  void aFileThatCannotBeSyncedMakesNobodyWait() throws Exception {
    WriteBacklog little = new WriteBacklog(() -> 16L * MIB);
    assertTrue(queue.enter(reader, () -> false));
    ScheduledWrite write = write(queue, little, null, source -> new DirtyFile(false));
    CompletableFuture<Void> received = CompletableFuture.runAsync(() -> receive(write, 40));
    assertWaits(received);
    queue.done(reader);
    received.get();
    assertTrue(queue.enter(reader, () -> false));
    receive(write, 40);
    queue.done(reader);
  }

  @Test
  void whatIsLeftToTheKernelIsInNoBacklogAndNobodyWritesIt() throws Exception {
    DirtyFile file = new DirtyFile(true);
    WriteBacklog backlog = queue.writes().backlog(null);
    Ticket reads = be(4, new Stream());
    queue.enter(reads, () -> false);
    ScheduledWrite write = write(queue, backlog, IoPriority.IDLE, source -> file);
    receive(write, 16);
    assertTrue(backlog.bytes() > 0);
    write.leaveToKernel();
    assertEquals(0, backlog.bytes());
    queue.done(reads);
    soon("the file is closed").until(() -> file.closed);
    assertEquals(0, file.startedTo);
  }

  @Test
  void aSyncWaitsForAThirdOfItsClientsPatience() throws Exception {
    AtomicLong clock = new AtomicLong();
    VolumeQueue other = queue(clock::get);
    assertTrue(other.enter(reader, () -> false));
    long third = TimeUnit.MILLISECONDS.toNanos(1_500);
    ScheduledWrite write =
        new ScheduledWrite(
            other,
            other.writes().backlog(null),
            null,
            1,
            third,
            0,
            MIB,
            source -> new DirtyFile(true));
    other.writes().add(write);
    CompletableFuture<Void> synced = CompletableFuture.runAsync(() -> sync(write));
    awaitSync(other);
    clock.addAndGet(third);
    reader.resume(clock.get());
    other.look();
    synced.get(10, TimeUnit.SECONDS);
    write.syncEnds();
    write.finish();
  }
}
