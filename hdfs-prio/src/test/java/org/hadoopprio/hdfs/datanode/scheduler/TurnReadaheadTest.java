// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitWaiting;
import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.linux.CachedPages;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests with a file on the disk that the build is on, and with this kernel's page cache. */
@Timeout(60)
class TurnReadaheadTest {

  private static final int PACKET = 64 << 10;
  private static final int MIB = 1 << 20;
  private static final int BYTES = 24 * MIB;

  /** Less than the file, so that it can be seen; the default needs 100 ms. */
  private static final long TURN_BYTES = 8L * MIB;

  private final VolumeQueue queue =
      new VolumeQueue("/data/1", limits(), 1, System::nanoTime, reads -> false, () -> true);
  private final Stream stream = new Stream();

  private static SchedulerLimits limits() {
    Configuration conf = new Configuration(false);
    conf.setLong(SchedulerKeys.TURN_BYTES.name(), TURN_BYTES);
    return SchedulerSettings.of(conf).limits();
  }

  private Path file;
  private FileInputStream in;
  private FileDescriptor source;

  @BeforeAll
  static void openJavaIo() {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
  }

  @BeforeEach
  void aFileThatIsNotCached() throws Exception {
    file = Files.createTempFile(Path.of("").toAbsolutePath(), "readahead", ".tmp");
    byte[] data = new byte[BYTES];
    new Random(1).nextBytes(data);
    Files.write(file, data);
    CachedPages.drop(file);
    in = new FileInputStream(file.toFile());
    source = in.getFD();
    assertFalse(isCached(0, PACKET), "the page cache has let the file go");
  }

  @AfterEach
  void remove() throws IOException {
    in.close();
    Files.delete(file);
  }

  private boolean isCached(long offset, long length) {
    return PageCache.isResident(DescriptorNumber.of(source), offset, length);
  }

  private long until() {
    return queue.now() + VolumeQueue.MAX_WAIT_NANOS;
  }

  private TurnReadahead readahead(long start, long end) {
    return new TurnReadahead(queue, null, be(4, stream), start, end);
  }

  /** Whether a read of another class may use the disk. */
  private boolean isFree() {
    Ticket probe = be(4, null);
    boolean free = queue.enter(probe, () -> true);
    queue.done(probe);
    return free;
  }

  private void awaitFree() {
    soon("the disk is free").until(this::isFree);
  }

  @Test
  void aStreamFindsAllItsDataInThePageCache() throws Exception {
    TurnReadahead ahead = readahead(0, BYTES);
    byte[] all = new byte[BYTES];
    for (int offset = 0; offset < BYTES; offset += PACKET) {
      assertTrue(ahead.reach(offset, 1, source, null, until()), "at " + offset);
      assertTrue(isCached(offset, PACKET), "at " + offset);
      in.readNBytes(all, offset, PACKET);
    }
    ahead.stop();
    assertArrayEquals(Files.readAllBytes(file), all);
    awaitFree();
  }

  @Test
  void itIsNoFurtherAheadThanTheClientHasCome() throws Exception {
    TurnReadahead ahead = readahead(0, BYTES);
    ahead.reach(0, 1, source, null, until());
    soon("it is read ahead").until(() -> isCached(0, TurnReadahead.FIRST_BYTES));
    awaitFree();
    assertFalse(isCached(TurnReadahead.FIRST_BYTES, PACKET));
    ahead.reach(6 * MIB, 1, source, null, until());
    soon("it is read ahead").until(() -> isCached(6 * MIB, 6 * MIB));
    awaitFree();
    assertFalse(isCached(12 * MIB, PACKET));
  }

  @Test
  void itIsNoFurtherAheadThanATurn() throws Exception {
    TurnReadahead ahead = readahead(0, BYTES);
    long start = 12L * MIB;
    ahead.reach(start, 1, source, null, until());
    soon("it is read ahead").until(() -> isCached(start, TURN_BYTES));
    awaitFree();
    assertFalse(isCached(start + TURN_BYTES, PACKET));
  }

  @Test
  void aSlowClientHoldsNoTurn() throws Exception {
    assertTrue(readahead(0, BYTES).reach(0, 1, source, null, until()));
    Ticket other = be(4, new Stream());
    assertTrue(queue.enter(other, () -> false));
    queue.done(other);
  }

  @Test
  void itReadsOnlyInTheTurnsOfItsStream() throws Exception {
    Ticket other = be(4, new Stream());
    assertTrue(queue.enter(other, () -> false));
    TurnReadahead ahead = readahead(0, BYTES);
    CompletableFuture<Boolean> reached =
        CompletableFuture.supplyAsync(() -> ahead.reach(0, 1, source, null, until()));
    awaitWaiting(queue, 1);
    assertFalse(reached.isDone());
    assertFalse(isCached(0, PACKET));
    queue.done(other);
    assertTrue(reached.get(20, TimeUnit.SECONDS));
  }

  @Test
  void itHoldsBackForRealtime() throws Exception {
    Ticket realtime = new Ticket(IoPriority.realtime(0), 1, null);
    queue.enterRealtime(realtime, false);
    TurnReadahead ahead = readahead(0, BYTES);
    CompletableFuture<Boolean> reached =
        CompletableFuture.supplyAsync(() -> ahead.reach(0, 1, source, null, until()));
    awaitWaiting(queue, 1);
    assertFalse(reached.isDone());
    queue.doneRealtime(realtime);
    assertTrue(reached.get(20, TimeUnit.SECONDS));
  }

  /** Who has the disk then must use it, and not ask again and again until the turn is over. */
  @Test
  void aStreamReadsBesideARealtimeReadThatHangs() throws Exception {
    AtomicLong clock = new AtomicLong();
    VolumeQueue hung =
        new VolumeQueue("/data/1", limits(), 1, clock::get, reads -> false, () -> true);
    hung.enterRealtime(Tickets.realtime(), false);
    TurnReadahead ahead = new TurnReadahead(hung, null, be(4, stream), 0, BYTES);
    CompletableFuture<Boolean> reached =
        CompletableFuture.supplyAsync(
            () -> ahead.reach(0, 1, source, null, VolumeQueue.MAX_WAIT_NANOS));
    awaitWaiting(hung, 1);
    clock.addAndGet(Disk.MAX_HELD_BACK_NANOS);
    hung.look();
    try {
      assertTrue(reached.get(20, TimeUnit.SECONDS));
    } finally {
      ahead.stop();
    }
  }

  @Test
  void whoStopsWaitsNoLonger() throws Exception {
    Ticket other = be(4, new Stream());
    assertTrue(queue.enter(other, () -> false));
    TurnReadahead ahead = readahead(0, BYTES);
    CompletableFuture<Boolean> reached =
        CompletableFuture.supplyAsync(() -> ahead.reach(0, 1, source, null, until()));
    awaitWaiting(queue, 1);
    ahead.stop();
    long stopped = System.nanoTime();
    assertFalse(reached.get(20, TimeUnit.SECONDS));
    assertTrue(System.nanoTime() - stopped < Duration.ofSeconds(5).toNanos());
    assertFalse(isCached(0, PACKET));
  }

  @Test
  void whoseClientIsGoneWaitsNoLonger() throws Exception {
    Ticket other = be(4, new Stream());
    assertTrue(queue.enter(other, () -> false));
    try (Connected connected = new Connected()) {
      Ticket own = be(4, stream);
      own.client = connected.connection();
      TurnReadahead ahead = new TurnReadahead(queue, null, own, 0, BYTES);
      CompletableFuture<Boolean> reached =
          CompletableFuture.supplyAsync(() -> ahead.reach(0, 1, source, null, until()));
      awaitWaiting(queue, 1);
      connected.clientCloses();
      assertFalse(reached.get(10, TimeUnit.SECONDS));
      assertTrue(own.client.isGone());
      ahead.stop();
    }
    assertEquals(0, queue.status().getBestEffort().getWaiting());
    assertFalse(isCached(0, PACKET));
  }

  @Test
  void whatThePageCacheHasLostIsReadAgain() throws Exception {
    TurnReadahead ahead = readahead(0, BYTES);
    ahead.reach(0, 1, source, null, until());
    soon("it is read ahead").until(() -> isCached(0, TurnReadahead.FIRST_BYTES));
    awaitFree();
    CachedPages.drop(file);
    for (long offset = 0; offset < 4L * MIB; offset += PACKET) {
      assertTrue(ahead.reach(offset, 1, source, null, until()));
    }
    assertTrue(isCached(2 * MIB, 2 * MIB));
  }

  @Test
  void aFileThatIsShorterIsLeftToTheStream() throws Exception {
    TurnReadahead ahead = readahead(0, 2L * BYTES);
    assertFalse(ahead.reach(BYTES + MIB, 1, source, null, until()));
    assertFalse(ahead.reach(BYTES + MIB, 1, source, null, until()));
    awaitFree();
  }

  @Test
  void aFileThatCannotBeOpenedIsLeftToTheStreamAndCounted() throws Exception {
    long failed = PriorityMetrics.FAILED.sum();
    TurnReadahead ahead = readahead(0, BYTES);
    in.close();
    assertFalse(ahead.reach(0, 1, source, null, until()));
    assertFalse(ahead.reach(PACKET, 1, source, null, until()));
    assertEquals(failed + 1, PriorityMetrics.FAILED.sum());
    assertTrue(isFree());
  }

  @Test
  void whoNeedsMoreWaitsForAllOfIt() {
    TurnReadahead ahead = readahead(0, BYTES);
    assertFalse(ahead.has(1));
    assertTrue(ahead.reach(0, 2 * MIB, source, null, until()));
    assertTrue(ahead.has(2 * MIB));
    assertTrue(isCached(0, 2 * MIB));
    assertTrue(ahead.reach(BYTES - PACKET, 2 * MIB, source, null, until()), "up to the end");
    assertTrue(ahead.has(BYTES + MIB));
    ahead.stop();
  }

  /** An open file of checksums that are not in the page cache. */
  private FileInputStream checksums() throws Exception {
    Path sums = Files.createTempFile(Path.of("").toAbsolutePath(), "readahead", ".meta");
    try {
      Files.write(sums, new byte[MIB]);
      CachedPages.drop(sums);
      FileInputStream open = new FileInputStream(sums.toFile());
      assertFalse(PageCache.isResident(DescriptorNumber.of(open.getFD()), 0, MIB));
      return open;
    } finally {
      Files.delete(sums);
    }
  }

  @Test
  void aStreamReadsTheChecksumsOfItsBlockWhenItGoesOn() throws Exception {
    try (FileInputStream sums = checksums()) {
      int number = DescriptorNumber.of(sums.getFD());
      TurnReadahead ahead = readahead(0, BYTES);
      ahead.reach(0, 1, source, sums.getFD(), until());
      awaitFree();
      assertFalse(PageCache.isResident(number, 0, MIB), "it may stop soon");
      ahead.reach(3L * MIB, 1, source, sums.getFD(), until());
      soon("the checksums are cached")
          .until(() -> PageCache.isResident(number, MIB / 8, MIB - MIB / 8));
    }
  }

  @Test
  void coldChecksumsMakeNobodyWaitLongerThanForOneTurn() throws Exception {
    AtomicLong clock = new AtomicLong();
    VolumeQueue full =
        new VolumeQueue("/data/1", limits(), 1, clock::get, reads -> false, () -> true);
    Ticket holder = be(4, new Stream());
    assertTrue(full.enter(holder, () -> false));
    try (FileInputStream sums = checksums()) {
      FileDescriptor cold = sums.getFD();
      TurnReadahead ahead = new TurnReadahead(full, null, be(4, stream), 0, BYTES);
      long until = VolumeQueue.MAX_WAIT_NANOS;
      CompletableFuture<Boolean> reached =
          CompletableFuture.supplyAsync(() -> ahead.reach(3L * MIB, 1, source, cold, until));
      awaitWaiting(full, 1);
      for (int second = 0; second < 20; second++) {
        assertFalse(reached.isDone());
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        full.look();
        // Others have their turns: this is not a scheduler that does not work.
        holder.resume(clock.get());
        Ticket realtime = Tickets.realtime();
        full.enterRealtime(realtime, false);
        full.doneRealtime(realtime);
      }
      soon("the wait is overdue").until(() -> full.counters().overdueWaits() > 0);
      assertFalse(reached.get(20, TimeUnit.SECONDS), "it reads for itself");
      ahead.stop();
    }
  }

  @Test
  void aSchedulerThatFailsMakesNobodyWait() throws Exception {
    VolumeClock clock =
        () -> {
          if (Thread.currentThread().getName().startsWith("hadoop-prio turns")) {
            throw new IllegalStateException("test");
          }
          return System.nanoTime();
        };
    VolumeQueue failing =
        new VolumeQueue("/data/1", limits(), 1, clock, reads -> false, () -> true);
    TurnReadahead ahead = new TurnReadahead(failing, null, be(4, stream), 0, BYTES);
    long failed = PriorityMetrics.FAILED.sum();
    long until = failing.now() + VolumeQueue.MAX_WAIT_NANOS;
    CompletableFuture<Boolean> reached =
        CompletableFuture.supplyAsync(() -> ahead.reach(0, 1, source, null, until));
    assertTrue(reached.get(10, TimeUnit.SECONDS), "it has read what it was let in for");
    soon("the failure counts").until(() -> PriorityMetrics.FAILED.sum() > failed);
    CompletableFuture<Boolean> next =
        CompletableFuture.supplyAsync(() -> ahead.reach(BYTES / 2, 1, source, null, until));
    assertFalse(next.get(10, TimeUnit.SECONDS));
  }

  /** There is no memory once, when it asks for its turn. */
  @Test
  void anErrorLeavesNobodyWaiting() throws Exception {
    AtomicBoolean lacks = new AtomicBoolean(true);
    VolumeClock clock =
        () -> {
          if (isAskedBy("whenItHasATurn") && lacks.getAndSet(false)) {
            throw new OutOfMemoryError("test");
          }
          return System.nanoTime();
        };
    VolumeQueue failing =
        new VolumeQueue("/data/1", limits(), 1, clock, reads -> false, () -> true);
    TurnReadahead ahead = new TurnReadahead(failing, null, be(4, stream), 0, BYTES);
    long until = failing.now() + VolumeQueue.MAX_WAIT_NANOS;
    assertThrows(OutOfMemoryError.class, () -> ahead.reach(0, 1, source, null, until));
    CompletableFuture<Boolean> next =
        CompletableFuture.supplyAsync(() -> ahead.reach(0, 1, source, null, until));
    assertTrue(next.get(10, TimeUnit.SECONDS));
  }

  /** A read that waits, so that the clock is watched. */
  private static CompletableFuture<Boolean> waits(VolumeQueue at, Ticket ticket) throws Exception {
    CompletableFuture<Boolean> entered =
        CompletableFuture.supplyAsync(() -> at.enter(ticket, () -> false));
    awaitWaiting(at, 1);
    return entered;
  }

  /** There is no memory when it has asked for its turn already. */
  @Test
  void anErrorLeavesNoRequestForATurn() throws Exception {
    AtomicBoolean lacks = new AtomicBoolean();
    AtomicLong time = new AtomicLong();
    VolumeClock clock =
        () -> {
          if (lacks.get() && isAskedBy("whenItHasATurn") && isAskedBy("watch")) {
            lacks.set(false);
            throw new OutOfMemoryError("test");
          }
          return time.get();
        };
    VolumeQueue failing =
        new VolumeQueue("/data/1", limits(), 1, clock, reads -> false, () -> true);
    Ticket holder = be(4, new Stream());
    assertTrue(failing.enter(holder, () -> false));
    Ticket next = be(4, new Stream());
    CompletableFuture<Boolean> entered = waits(failing, next);
    TurnReadahead ahead = new TurnReadahead(failing, null, be(4, stream), 0, BYTES);
    lacks.set(true);
    long until = VolumeQueue.MAX_WAIT_NANOS;
    assertThrows(OutOfMemoryError.class, () -> ahead.reach(0, 1, source, null, until));
    failing.done(holder);
    time.addAndGet(Disk.GRACE_NANOS);
    failing.look();
    assertTrue(entered.get(20, TimeUnit.SECONDS));
    failing.done(next);
    time.addAndGet(VolumeQueue.MAX_WAIT_NANOS);
    failing.look();
    assertEquals(0, failing.counters().overdueWaits(), "nobody waits");
  }

  /** The same when a thread has begun to read for it. */
  @Test
  void anErrorLeavesTheReadingToTheThreadThatDoesIt() throws Exception {
    boolean failed = false;
    for (int i = 0; i < 20 && !failed; i++) {
      CachedPages.drop(file);
      failed = hasFailedBesideAThread();
    }
    assertTrue(failed);
  }

  /** Returns false if those that waited had ended before, so that nobody asked for the time. */
  private boolean hasFailedBesideAThread() throws Exception {
    AtomicBoolean lacks = new AtomicBoolean();
    AtomicBoolean inForce = new AtomicBoolean(true);
    CompletableFuture<Void> looked = new CompletableFuture<>();
    CompletableFuture<Void> inside = new CompletableFuture<>();
    CompletableFuture<Void> goesOn = new CompletableFuture<>();
    VolumeClock clock =
        () -> {
          if (isAskedBy("look")) {
            looked.complete(null);
          }
          if (isAskedBy("inTurn")) {
            inside.complete(null);
            goesOn.join();
          }
          if (lacks.get() && isAskedBy("whenItHasATurn") && isAskedBy("watch")) {
            inside.join();
            throw new OutOfMemoryError("test");
          }
          return System.nanoTime();
        };
    VolumeQueue failing =
        new VolumeQueue("/data/1", limits(), 1, clock, reads -> false, inForce::get);
    Ticket holder = be(4, new Stream());
    assertTrue(failing.enter(holder, () -> false));
    final CompletableFuture<Boolean> entered = waits(failing, be(4, new Stream()));
    looked.get(20, TimeUnit.SECONDS);
    // The lock: so it looks next in a second.
    failing.status();
    TurnReadahead ahead = new TurnReadahead(failing, null, be(4, stream), 0, BYTES);
    lacks.set(true);
    inForce.set(false);
    boolean failed = false;
    try {
      ahead.reach(0, 1, source, null, failing.now());
    } catch (OutOfMemoryError e) {
      failed = true;
    }
    lacks.set(false);
    boolean reads = ahead.isAhead(BYTES);
    goesOn.complete(null);
    entered.get(20, TimeUnit.SECONDS);
    soon("the thread has ended").until(() -> !ahead.isAhead(BYTES));
    assertTrue(reads, "the thread still has it");
    assertTrue(ahead.has(MIB), "the thread has read all");
    return failed;
  }

  /** Whether a method is on the stack of the calling thread. */
  private static boolean isAskedBy(String method) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals(method)));
  }

  @Test
  void itReadsThemAlsoIfItNeverRests() throws Exception {
    try (FileInputStream sums = checksums()) {
      TurnReadahead ahead = readahead(0, BYTES);
      int number = DescriptorNumber.of(sums.getFD());
      for (long offset = 0; !PageCache.isResident(number, MIB / 2, MIB / 2); offset += PACKET) {
        assertTrue(offset < TURN_BYTES, "it has read data only");
        assertTrue(ahead.reach(offset, 1, source, sums.getFD(), until()));
      }
      ahead.stop();
    }
  }
}
