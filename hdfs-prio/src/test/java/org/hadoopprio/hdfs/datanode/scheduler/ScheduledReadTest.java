// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitAsleep;
import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.ThreadIoPriority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests one read with a clock that the test sets and a page cache that it fills. Who would have to
 * wait finds its data cached, or the disk free, but for one.
 */
@Timeout(30)
class ScheduledReadTest {

  private static final int PACKET = 64 << 10;
  private static final long BLOCK = 16 << 20;
  private static final long BIG_PART = ScheduledRead.CONTINUED_BYTES;
  private static final CachedData CACHED = (offset, length) -> true;
  private static final CachedData NOT_CACHED = (offset, length) -> false;

  @TempDir Path directory;

  private final AtomicLong clock = new AtomicLong();
  private final SchedulerSettings settings = SchedulerSettings.of(new Configuration(false));
  private final VolumeQueue queue =
      new VolumeQueue("/data/1", settings.limits(), 1, clock::get, reads -> false, () -> true);

  /** Runs what {@link #start} was given last. */
  private Thread waiter;

  /** Some leave reads unfinished, whose threads a DataNode would restore. */
  @AfterEach
  void restoreThread() {
    ThreadIoPriority.settle(null);
  }

  private ScheduledRead read(IoPriority priority, Stream stream) {
    ScheduledRead read = ScheduledRead.of(queue, settings, priority, stream);
    begin(read);
    return read;
  }

  private static void begin(ScheduledRead read) {
    try {
      read.begin();
    } catch (RefusedReadException e) {
      throw new AssertionError(e);
    }
  }

  /** A read of a block of which the page cache has nothing. */
  private ScheduledRead targeted(String priority, Hint hint) {
    IoPriority stated = IoPriority.parse(priority);
    ScheduledRead read = ScheduledRead.of(queue, settings, stated, null);
    read.setTarget(stated, new BlockRead(null, 1, 0, PACKET).with(hint));
    return read;
  }

  private static Hint refusable(String priority) {
    return Hint.of(IoPriority.parse(priority), null).refusable();
  }

  /** A real-time read is at the disk, and is not answered. */
  private ScheduledRead stuck() {
    ScheduledRead stuck = realtime();
    stuck.packet(0, PACKET, NOT_CACHED);
    return stuck;
  }

  private ScheduledRead realtime() {
    return read(IoPriority.realtime(0), null);
  }

  /** Whether a read of another class may use the disk. */
  private boolean isFree() {
    Ticket probe = be(4, null);
    boolean free = queue.enter(probe, () -> true);
    queue.done(probe);
    return free;
  }

  private void pass(long millis) {
    clock.addAndGet(ms(millis));
  }

  /** The reads of a disk that nobody else uses, of a kernel that reads ahead so far. */
  private List<ScheduledRead> realtimeAlone(int count, long readAheadBytes) {
    DeviceQueue device =
        new DeviceQueue() {
          @Override
          public boolean hasOthers(int realtimeParts) {
            return false;
          }

          @Override
          public long readAheadBytes() {
            return readAheadBytes;
          }
        };
    VolumeQueue disk =
        new VolumeQueue("/data/1", settings.limits(), 1, clock::get, device, () -> true);
    pass(10_000);
    List<ScheduledRead> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ScheduledRead read = ScheduledRead.of(disk, settings, IoPriority.realtime(0), null);
      begin(read);
      reads.add(read);
    }
    return reads;
  }

  /** The kernel would keep the idle class from the drive for 10 s while others read. */
  @Test
  void anIdleReadOpensItsFilesAboveIdle() {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
    int begun = ThreadIoPriority.apply(IoPriority.IDLE);
    try {
      for (int i = 0; i < 11; i++) {
        assertEquals(IoPriority.bestEffort(7), opensAt(i % 2 == 0 ? new Stream() : null));
      }
      assertEquals(IoPriority.IDLE, opensAt(null), "no more than ten a second");
      pass(100);
      assertEquals(IoPriority.bestEffort(7), opensAt(null));
      ScheduledRead readsAhead = read(IoPriority.IDLE, new Stream());
      readsAhead.readaheadBytes(1);
      assertEquals(IoPriority.IDLE, ThreadIoPriority.applied(), "the pool's");
      readsAhead.finish();
    } finally {
      ThreadIoPriority.restore(begun);
    }
  }

  /** The thread's priority while a read opens its files; it is idle again after that. */
  private IoPriority opensAt(Stream stream) {
    ScheduledRead read = read(IoPriority.IDLE, stream);
    IoPriority opens = ThreadIoPriority.applied();
    if (stream != null) {
      read.packet(0, BLOCK, CACHED);
      assertEquals(IoPriority.IDLE, ThreadIoPriority.applied());
    }
    read.finish();
    assertEquals(IoPriority.IDLE, ThreadIoPriority.applied());
    return opens;
  }

  /**
   * 112 that begin on an idle disk would have the kernel read up to 1.8 GB, and the first stream
   * wait for it.
   */
  @Test
  void hdfsAndTheKernelReadAheadOfFewRealtimeReadsOnly() {
    long asked = 4 << 20;
    for (long readAhead : new long[] {128 << 10, 8 << 20}) {
      int few = readAhead == 8 << 20 ? 1 : 4;
      List<ScheduledRead> reads = realtimeAlone(few + 1, readAhead);
      ScheduledRead last = reads.get(few);
      assertEquals(0, last.readaheadBytes(asked), few + 1 + " reads");
      assertFalse(last.isAlone(clock.get()));
      reads.get(0).finish();
      reads.get(0).finish();
      assertEquals(asked, last.readaheadBytes(asked), few + " reads");
      assertTrue(last.isAlone(clock.get()));
      reads.forEach(ScheduledRead::finish);
    }
  }

  /** HDFS reads nothing ahead of a Get, and the kernel little. */
  @Test
  void manyShortRealtimeReadsAreThoseOfStock() {
    List<ScheduledRead> reads = realtimeAlone(64, 128 << 10);
    assertTrue(reads.get(0).isAlone(clock.get()));
    reads.forEach(ScheduledRead::finish);
  }

  @Test
  void cachedDataDoesNotWaitForATurn() {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    assertFalse(isFree());
    ScheduledRead cached = read(null, new Stream());
    for (long offset = 0; offset < BLOCK; offset += PACKET) {
      cached.packet(offset, BLOCK, CACHED);
      cached.packetDone(offset, PACKET);
    }
    cached.finish();
    assertEquals(0, queue.counters().waits(DiskClass.BEST_EFFORT));
  }

  @Test
  void howMuchIsCachedIsNotAskedForEachPacket() {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead cached = read(null, new Stream());
    AtomicInteger asked = new AtomicInteger();
    CachedData counts = (offset, length) -> asked.incrementAndGet() > 0;
    for (long offset = 0; offset < BLOCK; offset += PACKET) {
      cached.packet(offset, BLOCK, counts);
    }
    assertTrue(asked.get() <= BLOCK / PACKET / 8 + 1, asked + " times");
  }

  @Test
  void aReadThatHasItsTurnIsNotLookedUpInTheCache() {
    ScheduledRead read = read(null, new Stream());
    for (long offset = 0; offset < BLOCK; offset += PACKET) {
      read.packet(offset, BLOCK, (from, length) -> fail("asked at " + from));
      read.packetDone(offset, PACKET);
    }
  }

  @Test
  void aLookIntoTheCacheThatFailsLeavesNoTrace() {
    ScheduledRead holder = read(null, new Stream());
    holder.packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = read(null, new Stream());
    CachedData fails =
        (offset, length) -> {
          throw new IllegalStateException("test");
        };
    assertThrows(IllegalStateException.class, () -> read.packet(0, BLOCK, fails));
    read.finish();
    holder.finish();
    pass(2);
    assertTrue(isFree());
  }

  @Test
  void aRealtimeReadHoldsOthersUntilItFinishes() {
    ScheduledRead read = realtime();
    assertTrue(isFree(), "its files may be cached");
    read.packet(0, BLOCK, NOT_CACHED);
    assertFalse(isFree());
    read.packetDone(0, PACKET);
    assertFalse(isFree());
    read.suspend();
    assertTrue(isFree());
    read.resume();
    assertFalse(isFree());
    read.finish();
    assertTrue(isFree());
  }

  @Test
  void aRealtimeReadThatLeavesIsBackWithItsNextPacket() {
    ScheduledRead read = realtime();
    read.packet(0, BLOCK, NOT_CACHED);
    read.leave();
    assertTrue(isFree());
    read.packetDone(0, PACKET);
    assertTrue(isFree());
    read.packet(PACKET, BLOCK, NOT_CACHED);
    assertFalse(isFree());
    read.finish();
    assertTrue(isFree());
  }

  @Test
  void aStreamThatLeavesIsChargedForNoTimeFromThenOn() {
    ScheduledRead read = read(null, new Stream());
    read.packet(0, BLOCK, NOT_CACHED);
    pass(3);
    read.leave();
    pass(50);
    read.packetDone(0, PACKET);
    read.finish();
    assertEquals(ms(3), queue.counters().usedNanos(DiskClass.BEST_EFFORT));
  }

  @Test
  void aRealtimeReadOfCachedDataHoldsNobody() {
    ScheduledRead read = realtime();
    pass(1);
    assertFalse(isFree(), "it may be opening its files");
    read.packet(0, BLOCK, CACHED);
    assertTrue(isFree());
    read.suspend();
    read.resume();
    assertTrue(isFree());
    read.packetDone(0, PACKET);
    read.finish();
    assertTrue(isFree());
  }

  @Test
  void aReadThatHasLostItsTurnGoesOnIfItsDataIsCached() {
    AtomicBoolean cached = new AtomicBoolean();
    ScheduledRead read = read(null, new Stream());
    read.packet(0, PACKET, (offset, length) -> cached.get());
    read.suspend();
    pass(2);
    ScheduledRead other = read(null, new Stream());
    other.packet(0, PACKET, NOT_CACHED);
    assertFalse(isFree());
    cached.set(true);
    read.resume();
    assertEquals(0, queue.counters().waits(DiskClass.BEST_EFFORT));
    read.packetDone(0, PACKET);
    read.finish();
    assertFalse(isFree(), "the other one is at the disk");
    other.finish();
  }

  @Test
  void whatFollowsCachedDataHoldsOthers() {
    ScheduledRead read = realtime();
    read.packet(0, BLOCK, CACHED);
    read.packet(PACKET, BLOCK, (offset, length) -> fail("known to be cached"));
    assertTrue(isFree());
    long after = 4 << 20;
    read.packet(after, BLOCK, NOT_CACHED);
    assertFalse(isFree());
    read.suspend();
    assertTrue(isFree());
    read.resume();
    assertFalse(isFree());
    read.packet(after + PACKET, BLOCK, CACHED);
    assertTrue(isFree());
    read.finish();
  }

  /** Beside others; what it has read itself does not make it one of cached data. */
  @Test
  void aSequentialRealtimeReadReadsLongerPartsTheFurtherItHasCome() throws IOException {
    long end = ScheduledRead.REALTIME_BYTES + 2 * BIG_PART;
    FileInputStream file = blockFile(end);
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = realtime();
    int asked = 0;
    for (long at = 0; at < end; at += PACKET) {
      AtomicBoolean looked = new AtomicBoolean();
      read.packet(
          at,
          end,
          new CachedData() {
            @Override
            public boolean isCached(long offset, long length) {
              looked.set(true);
              return false;
            }

            @Override
            public FileDescriptor file() {
              return descriptor(file);
            }
          });
      asked += looked.get() ? 1 : 0;
      read.packetDone(at, PACKET);
    }
    read.finish();
    assertEquals(3, asked, "a short part, and two of a mebibyte");
    assertEquals(end, queue.counters().bytes(DiskClass.REALTIME));
  }

  /** The disk has done its part before the client gets any of it. */
  @Test
  void aSequentialRealtimeReadIsNotAtTheDiskWhileItSends() throws IOException {
    long end = ScheduledRead.REALTIME_BYTES + 2 * BIG_PART;
    FileInputStream file = blockFile(end);
    Ticket stream = be(4, new Stream());
    assertTrue(queue.enter(stream, () -> true));
    ScheduledRead read = realtime();
    for (long at = 0; at < end; at += PACKET) {
      read.packet(at, end, data(file, false));
      assertTrue(queue.mayContinue(stream, clock.get()), "at " + at);
      read.suspend();
      pass(50);
      assertTrue(queue.mayContinue(stream, clock.get()), "what is in memory needs no disk");
      read.resume();
      assertTrue(queue.mayContinue(stream, clock.get()), "what is in memory needs no disk");
      read.packetDone(at, PACKET);
    }
    read.finish();
    assertEquals(0, queue.counters().usedNanos(DiskClass.REALTIME), "this clock stood meanwhile");
  }

  /** The file of a block, which the kernel can tell of. */
  private FileInputStream blockFile(long bytes) throws IOException {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    Path file = Files.write(directory.resolve("block"), new byte[(int) bytes]);
    return new FileInputStream(file.toFile());
  }

  private static FileDescriptor descriptor(FileInputStream file) {
    try {
      return file.getFD();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An open file of which all or nothing is in the page cache. */
  static CachedData data(FileInputStream file, boolean cached) {
    return new CachedData() {
      @Override
      public boolean isCached(long offset, long length) {
        return cached;
      }

      @Override
      public FileDescriptor file() {
        return descriptor(file);
      }
    };
  }

  @Test
  void aReadThatWouldBeLateIsRefusedIfItsClientCanGoElsewhere() {
    stuck();
    pass(99);
    begin(targeted("rt:0@100ms", refusable("rt:0@100ms")));
    pass(2);
    RefusedReadException refused =
        assertThrows(
            RefusedReadException.class, targeted("rt:0@100ms", refusable("rt:0@100ms"))::begin);
    assertEquals("real-time reads of volume /data/1 take 101 ms now", refused.getMessage());
    begin(targeted("rt:0@100ms", Hint.NOTHING));
    begin(targeted("rt:0@110ms", refusable("rt:0@110ms")));
    begin(targeted("rt:0@11ms", refusable("rt:0@11ms")));
    begin(targeted("be:0@100ms", refusable("be:0@100ms")));
  }

  /** Data of which each use is counted. */
  private static FsDatasetSpi<?> counts(AtomicInteger uses) {
    return stub(
        FsDatasetSpi.class,
        () -> {
          uses.incrementAndGet();
          return null;
        });
  }

  /** The disk may hang, and every use of it with it. */
  @Test
  void aRefusalOpensNoFile() {
    stuck();
    pass(101);
    AtomicInteger opened = new AtomicInteger();
    FsDatasetSpi<?> data = counts(opened);
    IoPriority stated = IoPriority.parse("rt:0@100ms");
    ScheduledRead read = ScheduledRead.of(queue, settings, stated, null);
    read.setTarget(
        stated,
        new BlockRead(
            data, null, settings.unknown(), 1, 0, PACKET, refusable("rt:0@100ms"), false));
    assertThrows(RefusedReadException.class, read::begin);
    assertEquals(0, opened.get());
  }

  /** To open it on the disk would be a use of the disk that nobody has granted. */
  @Test
  void aReadThatIsHeldOpensNoFileThatTheKernelDoesNotKnow() throws Exception {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    AtomicInteger opened = new AtomicInteger();
    FsDatasetSpi<?> data = counts(opened);
    IoPriority stated = IoPriority.parse("rt:0@100ms");
    Volume volume = Volume.of(directory.toUri(), settings);
    ExtendedBlock block = new ExtendedBlock("pool", 1);
    ScheduledRead read = ScheduledRead.of(queue, settings, stated, null);
    read.setTarget(stated, new BlockRead(data, block, volume, 1, 0, PACKET, Hint.NOTHING, false));
    FutureTask<Void> begun = new FutureTask<>(() -> begin(read), null);
    new Thread(begun).start();
    awaitHeld(begun);
    assertEquals(0, opened.get());
    pass(100);
    queue.look();
    begun.get();
    read.finish();
    assertEquals(0, opened.get());
  }

  @Test
  void aReadWithATargetWhoseDataIsCachedIsNotHeld() throws Exception {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = ofCachedBlock(IoPriority.parse("rt:0@100ms"));
    begin(read);
    read.packet(0, PACKET, CACHED);
    read.packetDone(0, PACKET);
    read.finish();
    assertEquals(0, queue.counters().waits(DiskClass.REALTIME));
  }

  @Test
  void aSlowDiskIsTriedFromTimeToTimeAndReadAgainWhenItHasRecovered() {
    ScheduledRead slow = stuck();
    pass(600);
    slow.packetDone(0, PACKET);
    slow.finish();
    Hint hint = refusable("rt:0@100ms");
    assertThrows(RefusedReadException.class, targeted("rt:0@100ms", hint)::begin);
    begin(targeted("rt:0@700ms", refusable("rt:0@700ms")));
    pass(6_000);
    ScheduledRead tries = targeted("rt:0@100ms", hint);
    begin(tries);
    assertThrows(RefusedReadException.class, targeted("rt:0@100ms", hint)::begin);
    tries.packet(0, PACKET, NOT_CACHED);
    pass(10);
    tries.packetDone(0, PACKET);
    tries.finish();
    begin(targeted("rt:0@100ms", hint));
  }

  @Test
  void changedSettingsReachTheVolume() {
    Configuration conf = new Configuration(false);
    SchedulerSettings own = SchedulerSettings.of(conf);
    ScheduledRead first = ScheduledRead.of(queue, own, null, new Stream());
    begin(first);
    first.packet(0, BLOCK, NOT_CACHED);
    SchedulerSettings.reconfigure(conf, SchedulerKeys.TURN_BYTES, "65536");
    ScheduledRead second = ScheduledRead.of(queue, own, null, new Stream());
    begin(second);
    second.finish();
    Ticket ticket = be(4, new Stream());
    first.finish();
    pass(2);
    assertTrue(queue.enter(ticket, () -> true));
    ticket.read(65536);
    // Another asks while this one has used up its turn.
    assertFalse(
        queue.enter(
            be(4, new Stream()),
            () -> {
              assertFalse(queue.mayContinue(ticket, clock.get()));
              return true;
            }));
  }

  /** A volume that real-time has used for more than its share while a stream reads. */
  private void overdraw() {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead excess = realtime();
    excess.packet(0, BLOCK, NOT_CACHED);
    pass(1_000);
    excess.finish();
    AtomicBoolean closed = new AtomicBoolean();
    queue.enterRealtime(Tickets.realtime(), true, () -> !closed.getAndSet(true));
    assertTrue(closed.get(), "the gate is closed");
  }

  private static <T> T stub(Class<T> type, Callable<?> answer) {
    Class<?>[] types = {type};
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), types, (self, method, a) -> answer.call()));
  }

  /** A real-time read of a block file that is in the page cache, without a latency target. */
  private ScheduledRead ofCachedBlock() throws IOException {
    return ofCachedBlock(IoPriority.realtime(0));
  }

  private ScheduledRead ofCachedBlock(IoPriority priority) throws IOException {
    Path finalized = directory.resolve("current/pool/current/finalized/subdir0/subdir0");
    Path file = Files.createDirectories(finalized).resolve("blk_1");
    Files.write(file, new byte[PACKET]);
    FsDatasetSpi<?> data = stub(FsDatasetSpi.class, () -> new FileInputStream(file.toFile()));
    Volume volume = Volume.of(directory.toUri(), settings);
    ExtendedBlock block = new ExtendedBlock("pool", 1);
    BlockRead what = new BlockRead(data, block, volume, 1, 0, PACKET, Hint.NOTHING, false);
    ScheduledRead read = ScheduledRead.of(queue, settings, priority, null);
    read.setTarget(priority, what);
    return read;
  }

  @Test
  void cachedDataPassesAClosedGate() throws Exception {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    overdraw();
    ScheduledRead read = ofCachedBlock();
    begin(read);
    read.packet(0, PACKET, CACHED);
    read.packetDone(0, PACKET);
    read.finish();
    assertEquals(0, queue.counters().waits(DiskClass.REALTIME));
  }

  @Test
  void whatIsNotCachedAfterAllWaitsAtTheGate() throws Exception {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    overdraw();
    ScheduledRead read = ofCachedBlock();
    begin(read);
    FutureTask<Void> packet = new FutureTask<>(() -> read.packet(0, PACKET, NOT_CACHED), null);
    new Thread(packet).start();
    awaitHeld(packet);
    assertFalse(packet.isDone());
    queue.setLimits(Tickets.limits(1));
    packet.get();
    read.finish();
  }

  /** Also by the delegate of the hooks, for whoever states none. */
  @Test
  void aPacketWaitsForAThirdOfItsClientsPatience() throws Exception {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = patientForSixSeconds(IoPriority.IDLE);
    for (int offset = 0; offset < 2 * PACKET; offset += PACKET) {
      assertWaitsFor(read, offset, 2_000);
    }
  }

  @Test
  void withoutAnyItIsTheOneOfTheDataNodesOwnSettings() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setInt("dfs.client.socket-timeout", 9_000);
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = ScheduledRead.of(queue, SchedulerSettings.of(conf), null, new Stream());
    begin(read);
    assertWaitsFor(read, 0, 3_000);
  }

  /** The way to it is the same for one packet and for several. */
  @Test
  void whoHasWaitedForLongEnoughReadsSomePacketsWithoutATurn() throws Exception {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    Path file = Files.write(directory.resolve("data"), new byte[4 * PACKET]);
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = read(IoPriority.IDLE, new Stream());
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      CachedData data = data(in, false);
      assertWaitsFor(read, 0, 20_000, 4 * PACKET, data);
      for (int offset = PACKET; offset < 4 * PACKET; offset += PACKET) {
        read.packet(offset, 4 * PACKET, data);
        read.packetDone(offset, PACKET);
      }
    }
    assertEquals(4 * PACKET, queue.counters().bytes(DiskClass.IDLE));
  }

  /** Its client waits for all of them together. */
  @Test
  void aPacketThatHasWaitedWaitsNoMoreWhenItsClientTakesBytesAgain() throws Exception {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = patientForSixSeconds(IoPriority.IDLE);
    assertWaitsFor(read, 0, 2_000);
    read.suspend();
    read.resume();
    assertEquals(1, queue.counters().waits(DiskClass.IDLE));
  }

  @Test
  void aPacketThatHasLostItsTurnWaitsForWhatIsLeftOfItsTime() throws Exception {
    ScheduledRead holder = read(null, new Stream());
    holder.packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = patientForSixSeconds(IoPriority.parse("be:4"));
    FutureTask<Void> packet = start(() -> read.packet(0, BLOCK, NOT_CACHED));
    pass(1_500);
    holder.finish();
    pass(2);
    queue.look();
    packet.get();
    read.suspend();
    pass(1_000);
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    FutureTask<Void> rest = start(read::resume);
    assertWaitsOn(rest, 498);
    read.suspend();
    read.resume();
    assertEquals(2, queue.counters().waits(DiskClass.BEST_EFFORT));
  }

  /** The disk has been asked for all of its data: others would come to it besides. */
  @Test
  void aShortReadKeepsAnEndedTurnUntilItHasItsData() throws Exception {
    ScheduledRead holder = read(null, new Stream());
    holder.packet(0, BLOCK, NOT_CACHED);
    ScheduledRead next = read(null, new Stream());
    FutureTask<Void> waits = start(() -> next.packet(0, BLOCK, NOT_CACHED));
    ScheduledRead read = read(null, null);
    CachedData data = data(blockFile(PACKET), false);
    FutureTask<Void> packet = start(() -> read.packet(0, PACKET, data));
    holder.finish();
    pass(2);
    queue.look();
    packet.get();
    pass(200);
    read.suspend();
    read.resume();
    queue.look();
    assertFalse(waits.isDone(), "the disk is at the short read's data");
    assertEquals(1, queue.counters().waits(DiskClass.BEST_EFFORT));
    read.finish();
    pass(2);
    queue.look();
    waits.get();
    next.finish();
  }

  /** The kernel reads ahead for it, and nobody has asked for its data. */
  @Test
  void aShortReadThatBeganAloneAsksAgainAfterItsTurn() throws Exception {
    ScheduledRead read = read(null, null);
    read.packet(0, PACKET, data(blockFile(PACKET), false));
    ScheduledRead next = read(null, new Stream());
    FutureTask<Void> waits = start(() -> next.packet(0, BLOCK, NOT_CACHED));
    pass(200);
    read.suspend();
    FutureTask<Void> asks = start(read::resume);
    queue.look();
    waits.get();
    assertFalse(asks.isDone(), "the stream is at the disk");
    next.finish();
    pass(2);
    queue.look();
    asks.get();
    read.finish();
  }

  /** The disk was asked for no more than a short read's part. */
  @Test
  void aPacketWhoseDataHasComeMeanwhileGoesOnWithoutATurn() {
    ScheduledRead read = read(null, new Stream());
    AtomicLong resident = new AtomicLong();
    read.packet(0, BLOCK, (offset, length) -> offset + length <= resident.get());
    read.suspend();
    pass(1_000);
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    resident.set(StreamTable.SHORT_BYTES);
    read.resume();
    assertEquals(0, queue.counters().waits(DiskClass.BEST_EFFORT));
  }

  /** As a transfer whose client has waited for long; others like it may be many. */
  @Test
  void aReadInAHurryWaitsForATimeToReadWithoutATurn() throws Exception {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = read(IoPriority.IDLE, new Stream());
    read.setHurry(ms(3_000));
    pass(3_000);
    try (FileInputStream in = blockFile(2 * PACKET)) {
      CachedData data = data(in, false);
      read.packet(0, 2 * PACKET, data);
      assertEquals(2 * PACKET, queue.counters().bytes(DiskClass.IDLE), "at once");
      hastyReadsUpTo(5_500);
      ScheduledRead second = read(IoPriority.IDLE, new Stream());
      second.setHurry(0);
      assertWaitsOn(start(() -> second.packet(0, 2 * PACKET, data)), 2_500);
    }
    assertEquals(4 * PACKET, queue.counters().bytes(DiskClass.IDLE));
  }

  private void assertWaitsOn(FutureTask<Void> task, long millis) throws Exception {
    pass(millis - 1);
    LockSupport.unpark(waiter);
    waiter.join(50);
    assertFalse(task.isDone());
    pass(1);
    LockSupport.unpark(waiter);
    task.get();
  }

  private ScheduledRead patientForSixSeconds(IoPriority priority) {
    Hint hint = Hint.of(priority, null).patientFor(6_000);
    ScheduledRead read = ScheduledRead.of(queue, settings, priority, new Stream());
    read.setTarget(priority, new BlockRead(null, 1, 0, BLOCK).with(hint));
    begin(read);
    return read;
  }

  /** Runs what has to wait, and returns when it does. */
  private FutureTask<Void> start(Runnable waits) throws Exception {
    FutureTask<Void> task = new FutureTask<>(waits, null);
    waiter = new Thread(task);
    waiter.start();
    awaitAsleep(waiter, task);
    return task;
  }

  /** Else whoever has a short time-out would have as much of the disk as he has streams. */
  @Test
  void whereManyHaveNoTimeLeftEachWaitsUntilTheOnesBeforeHaveRead() throws Exception {
    hastyReadsUpTo(2_500);
    assertWaitsOn(outOfPatience(), 500);
  }

  @Test
  void whereFarTooManyHaveNoTimeLeftTheyWaitForTheDataNodesOwnTime() throws Exception {
    hastyReadsUpTo(30_000);
    assertWaitsOn(outOfPatience(), 18_000);
    assertEquals(ms(30_000), queue.hastyReads().next(queue.now(), Long.MAX_VALUE), "took none");
  }

  /** Others read without a turn, and one more may so many milliseconds after the test's begin. */
  private void hastyReadsUpTo(long millis) {
    while (queue.hastyReads().next(queue.now(), Long.MAX_VALUE) < ms(millis - 100)) {}
  }

  /** The packet of a read that has waited for a third of its client's patience, and waits on. */
  private FutureTask<Void> outOfPatience() throws Exception {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = patientForSixSeconds(IoPriority.IDLE);
    FutureTask<Void> packet = start(() -> read.packet(0, BLOCK, NOT_CACHED));
    pass(2_000);
    LockSupport.unpark(waiter);
    soon("it has waited").until(() -> queue.counters().waits(DiskClass.IDLE) > 0);
    awaitAsleep(waiter, packet);
    return packet;
  }

  private void awaitHeld(FutureTask<Void> read) {
    soon("the read is held")
        .failFast("it is not held", read::isDone)
        .until(() -> queue.status().getRealtime().getWaiting() > 0);
  }

  private void assertWaitsFor(ScheduledRead read, int offset, long millis) throws Exception {
    assertWaitsFor(read, offset, millis, BLOCK, NOT_CACHED);
  }

  private void assertWaitsFor(
      ScheduledRead read, int offset, long millis, long end, CachedData data) throws Exception {
    assertWaitsOn(start(() -> read.packet(offset, end, data)), millis);
    read.packetDone(offset, PACKET);
  }

  @Test
  void theWaitsOfAllPacketsTogetherMayHaveAnEnd() throws Exception {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    Hint hint = Hint.of(IoPriority.IDLE, null).patientFor(6_000);
    ScheduledRead copy = read(IoPriority.IDLE, new Stream());
    copy.setTarget(IoPriority.IDLE, new BlockRead(null, 1, 0, BLOCK).with(hint));
    copy.setTime(ms(3_000));
    assertWaitsFor(copy, 0, 2_000);
    assertFalse(copy.isOutOfTime());
    assertWaitsFor(copy, PACKET, 1_000);
    assertTrue(copy.isOutOfTime());
    copy.packet(2 * PACKET, BLOCK, NOT_CACHED);
    assertEquals(0, queue.counters().overdueWaits());
  }
}
