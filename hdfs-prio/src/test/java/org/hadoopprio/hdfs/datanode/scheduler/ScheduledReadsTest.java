// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitAsleep;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.hdfs.datanode.UnstartedDataNode;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.SwitchedOff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the delegate of the hooks on threads, with a volume on this machine's disk. */
@Timeout(60)
class ScheduledReadsTest {

  private static final int PACKET = 64 << 10;
  private static final long BLOCK = 16 << 20;

  private final Configuration conf = new Configuration(false);
  private final Path directory = Path.of("").toAbsolutePath();
  private final FsVolumeSpi volume = volume(directory.toUri());
  private DataNode dataNode;
  private final List<DataNodeThread> threads = new ArrayList<>();

  @BeforeEach
  void needsABlockDevice() throws ReflectiveOperationException {
    WorkingDirectory.requireBlockDevice();
    // Whether or not this machine's disk rotates.
    conf.set(SchedulerKeys.STREAMS.name(), "1");
    dataNode = UnstartedDataNode.of(conf);
  }

  @AfterEach
  void noThreadIsLeft() throws InterruptedException {
    for (DataNodeThread thread : threads) {
      thread.close();
    }
  }

  /** Clients that knew a DataNode before it was restarted ask it before it knows its blocks. */
  @Test
  void aDataNodeThatHasNotReachedANameNodeDoesNotKnowTheVolume() {
    assertNull(dataNode.getFSDataset(), "the data set of a DataNode that is not started");
    assertTrue(
        BlockRead.of(dataNode, new ExtendedBlock("pool", 1), 0, BLOCK, Hint.NOTHING, false)
            .volume()
            .isUnknown());
  }

  private static FsVolumeSpi volume(URI base) {
    return Stubs.answering(FsVolumeSpi.class, "getBaseURI", () -> base);
  }

  /** A thread that serves reads, as the hooks see it. */
  private final class DataNodeThread {

    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final ExecutorService executor =
        Executors.newSingleThreadExecutor(
            work -> {
              thread.set(new Thread(work));
              return thread.get();
            });
    private final ReplicaInputStreams replica;
    private long length = BLOCK;
    private Object packet;
    private Object suspended;

    DataNodeThread(FsVolumeSpi at) {
      InputStream data = new ByteArrayInputStream(new byte[0]);
      FsVolumeReference reference = Stubs.answering(FsVolumeReference.class, "getVolume", () -> at);
      replica = new ReplicaInputStreams(data, null, reference, null);
      threads.add(this);
    }

    void close() throws InterruptedException {
      executor.shutdownNow();
      assertTrue(executor.awaitTermination(30, TimeUnit.SECONDS));
    }

    <T> Future<T> starts(Callable<T> work) {
      return executor.submit(work);
    }

    <T> T does(Callable<T> work) throws Exception {
      try {
        return starts(work).get(30, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }

    /** Returns when the thread waits for its turn. */
    void assertWaits(Future<?> work) {
      awaitAsleep(thread.get(), work);
    }

    Void begin(long block, long bytes, IoPriority priority) {
      length = bytes;
      ScheduledReads.beginOwn(new BlockRead(Volumes.of(conf, volume), block, 0, bytes), priority);
      return null;
    }

    Object packet(long block, long number) {
      ExtendedBlock extended = new ExtendedBlock("pool", block);
      packet =
          ScheduledReads.packet(
              dataNode, extended, replica, number, Math.min(number * PACKET, length), length);
      return packet;
    }

    Object packet(long number) {
      return packet(1, number);
    }

    Void packetDone(long number) {
      ScheduledReads.packetDone(packet, number * PACKET, PACKET);
      return null;
    }

    Void suspend() {
      suspended = ScheduledReads.suspend();
      return null;
    }

    Void resume() {
      ScheduledReads.resume(suspended);
      return null;
    }

    Void finish() {
      ScheduledReads.finish();
      return null;
    }

    /** A stream at the disk with its first packet. */
    DataNodeThread streams(long block) throws Exception {
      assertNotNull(
          does(
              () -> {
                begin(block, BLOCK, null);
                return packet(0);
              }));
      return this;
    }

    /** A stream that waits for the disk with its first packet. */
    Future<Object> waits(long block) throws Exception {
      Future<Object> goes =
          starts(
              () -> {
                begin(block, BLOCK, null);
                return packet(0);
              });
      assertWaits(goes);
      return goes;
    }
  }

  private DataNodeThread thread() {
    return new DataNodeThread(volume);
  }

  /** Returns when the thread goes on, and fails before a read that holds it back would be lost. */
  private static void assertGoes(Future<?> work) throws Exception {
    assertNotNull(work.get(Disk.LOST_NANOS * 4 / 5, TimeUnit.NANOSECONDS));
  }

  private void mode(String mode) {
    SchedulerSettings.reconfigure(conf, SchedulerKeys.MODE, mode);
  }

  private boolean isStock() {
    return Volumes.of(conf, volume).mode().isStock();
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "observe", "order"})
  void inOtherModesNobodyWaits(String mode) throws Exception {
    for (String text : new String[] {mode, "turns," + directory + "=" + mode}) {
      mode(text);
      assertEquals(!"order".equals(mode), isStock());
      for (int i = 0; i < 2; i++) {
        DataNodeThread thread = thread();
        thread.does(() -> thread.begin(1, BLOCK, null));
        assertNull(thread.does(() -> thread.packet(0)));
        assertNull(thread.does(ScheduledReads::suspend));
        assertEquals(4L << 20, thread.does(() -> ScheduledReads.readaheadBytes(4 << 20)));
      }
    }
  }

  /** Where all volumes are stock and one is observed, what belongs to no volume is, too. */
  @Test
  void whatBelongsToNoVolumeHasTheModeOfAllIfTheyAreStock() {
    mode("off");
    assertEquals(VolumeMode.OFF, Volumes.of(conf, null).mode());
    mode("off," + directory + "=observe");
    assertEquals(VolumeMode.OBSERVE, Volumes.of(conf, null).mode());
    assertTrue(isStock());
    mode("observe," + directory + "=turns");
    assertEquals(VolumeMode.ORDER, Volumes.of(conf, null).mode());
    assertFalse(isStock());
  }

  @Test
  void aModeChangesLive() throws Exception {
    mode("off");
    assertTrue(isStock());
    mode("off," + directory + "=turns");
    assertFalse(isStock());
    thread().streams(1);
    DataNodeThread second = thread();
    assertFalse(second.waits(2).isDone());
    mode("order");
    DataNodeThread third = thread();
    third.does(() -> third.begin(3, BLOCK, null));
    assertNull(third.does(() -> third.packet(0)));
  }

  @Test
  void aReadOfWhichNothingIsKnownDoesNotWait() throws Exception {
    thread().streams(1);
    DataNodeThread thread = thread();
    thread.does(
        () -> {
          ScheduledReads.begin(
              new BlockRead(Volumes.of(conf, null), 0, 0, 0),
              IoPriority.realtime(0),
              ClientConnection.UNKNOWN);
          return null;
        });
    assertNull(thread.does(ScheduledReads::suspend));
    assertFalse(Volumes.of(conf, null).mode().isStock());
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3a://bucket/volume", "file:///proc"})
  void onAVolumeWithoutABlockDeviceNobodyWaits(String base) throws Exception {
    FsVolumeSpi other = volume(URI.create(base));
    BlockRead read = new BlockRead(Volumes.of(conf, other), 1, 0, BLOCK);
    assertFalse(read.volume().mode().isStock(), "as in mode order");
    DataNodeThread thread = new DataNodeThread(other);
    thread.does(
        () -> {
          ScheduledReads.begin(read, null, ClientConnection.UNKNOWN);
          return null;
        });
    assertNull(thread.does(() -> thread.packet(0)));
  }

  @Test
  void volumesDoNotWaitForEachOther() throws Exception {
    thread().streams(1);
    FsVolumeSpi other = volume(directory.toUri());
    DataNodeThread thread = new DataNodeThread(other);
    thread.does(
        () -> {
          ScheduledReads.begin(
              new BlockRead(Volumes.of(conf, other), 2, 0, BLOCK), null, ClientConnection.UNKNOWN);
          return null;
        });
    assertNotNull(thread.does(() -> thread.packet(0)));
  }

  @Test
  void streamsTakeTurns() throws Exception {
    DataNodeThread first = thread().streams(1);
    DataNodeThread second = thread();
    Future<Object> secondGoes = second.waits(2);
    // The packet is sent, and the next is not asked for: the client is slow.
    first.does(() -> first.packetDone(0));
    assertGoes(secondGoes);
    Future<Object> firstGoes = first.starts(() -> first.packet(1));
    first.assertWaits(firstGoes);
    second.does(second::finish);
    assertGoes(firstGoes);
    first.does(first::finish);
  }

  @Test
  void aReadThatHasEndedOrFailedLetsTheNextGo() throws Exception {
    DataNodeThread first = thread().streams(1);
    Future<Object> goes = thread().waits(2);
    first.does(first::finish);
    assertGoes(goes);
    // And its thread may serve another.
    assertFalse(first.waits(3).isDone());
  }

  @Test
  void thePacketThatEndsAReadEndsItsUseOfTheDisk() throws Exception {
    DataNodeThread first = thread().streams(1);
    Future<Object> goes = thread().waits(2);
    assertNull(first.does(() -> first.packet(BLOCK / PACKET)));
    assertGoes(goes);
    assertNull(first.does(ScheduledReads::suspend));
    first.does(first::finish);
  }

  @Test
  void aReadOfNothingNeverWaits() throws Exception {
    thread().streams(1);
    DataNodeThread empty = thread();
    empty.does(() -> empty.begin(2, 0, null));
    assertNull(empty.does(() -> empty.packet(0)));
  }

  @Test
  void whoWaitsForItsClientLosesItsTurnAndAsksAgain() throws Exception {
    DataNodeThread first = thread().streams(1);
    DataNodeThread second = thread();
    Future<Object> secondGoes = second.waits(2);
    first.does(first::suspend);
    assertGoes(secondGoes);
    Future<Void> resumes = first.starts(first::resume);
    first.assertWaits(resumes);
    second.does(second::finish);
    resumes.get(30, TimeUnit.SECONDS);
    // It has the disk again.
    assertFalse(thread().waits(3).isDone());
  }

  @Test
  void aWaitOfAReadAloneCostsItNothing() throws Exception {
    DataNodeThread alone = thread().streams(1);
    alone.does(alone::suspend);
    TimeUnit.MILLISECONDS.sleep(5);
    alone.does(alone::resume);
    assertFalse(thread().waits(2).isDone());
  }

  @Test
  void aRealtimeReadGoesAtOnceAndHoldsOthersWhileItUsesTheDisk() throws Exception {
    DataNodeThread stream = thread().streams(1);
    DataNodeThread realtime = thread();
    realtime.does(() -> realtime.begin(2, PACKET, IoPriority.realtime(0)));
    assertNotNull(realtime.does(() -> realtime.packet(0)));
    stream.does(() -> stream.packetDone(0));
    Future<Object> goes = stream.starts(() -> stream.packet(1));
    stream.assertWaits(goes);
    realtime.does(realtime::suspend);
    assertGoes(goes);
    realtime.does(realtime::resume);
    stream.does(() -> stream.packetDone(1));
    Future<Object> goesOn = stream.starts(() -> stream.packet(2));
    stream.assertWaits(goesOn);
    assertNull(realtime.does(() -> realtime.packet(1)), "the end");
    assertGoes(goesOn);
  }

  @Test
  void aRealtimeReadHoldsOthersWhileItOpensItsFiles() throws Exception {
    DataNodeThread realtime = thread();
    realtime.does(() -> realtime.begin(1, PACKET, IoPriority.realtime(0)));
    TimeUnit.MILLISECONDS.sleep(2);
    Future<Object> goes = thread().waits(2);
    realtime.does(realtime::finish);
    assertGoes(goes);
  }

  @Test
  void hdfsReadsNothingAheadOfAStreamWhileOthersUseTheDisk() throws Exception {
    long asked = 4 << 20;
    DataNodeThread stream = thread().streams(1);
    assertEquals(asked, stream.does(() -> ScheduledReads.readaheadBytes(asked)), "alone");
    DataNodeThread other = thread();
    assertFalse(other.waits(2).isDone());
    assertEquals(0L, stream.does(() -> ScheduledReads.readaheadBytes(asked)), "another waits");
    DataNodeThread realtime = thread();
    realtime.does(() -> realtime.begin(3, BLOCK, IoPriority.realtime(0)));
    assertEquals(0L, realtime.does(() -> ScheduledReads.readaheadBytes(asked)));
    assertEquals(0L, stream.does(() -> ScheduledReads.readaheadBytes(asked)), "real-time came");
    assertEquals(asked, ScheduledReads.readaheadBytes(asked), "not a read");
  }

  @Test
  void aRealtimeReadAloneReadsAhead() throws Exception {
    DataNodeThread realtime = thread();
    realtime.does(() -> realtime.begin(1, BLOCK, IoPriority.realtime(0)));
    assertEquals(5L, realtime.does(() -> ScheduledReads.readaheadBytes(5)));
  }

  @Test
  void aReadWithoutAReadBlockAroundItTakesTurnsToo() throws Exception {
    DataNodeThread scanner = thread();
    assertNotNull(scanner.does(() -> scanner.packet(1, 0)));
    Future<Object> goes = thread().waits(2);
    assertNotNull(scanner.does(() -> scanner.packet(1, 1)));
    assertNull(scanner.does(() -> scanner.packet(1, BLOCK / PACKET)));
    assertGoes(goes);
    // Its next block.
    Future<Object> waits = scanner.starts(() -> scanner.packet(3, 0));
    scanner.assertWaits(waits);
  }

  @Test
  void aReadWithoutAReadBlockThatFailsEndsWithTheNext() throws Exception {
    DataNodeThread scanner = thread();
    scanner.does(() -> scanner.packet(1, 0));
    // It fails here, and nobody says so.
    Future<Object> goes = thread().waits(2);
    Future<Object> nextBlock = scanner.starts(() -> scanner.packet(3, 0));
    assertGoes(goes);
    scanner.assertWaits(nextBlock);
  }

  /** As a transfer whose target dies, on a thread of a pool that connects to the next one. */
  @Test
  void aReadWithoutAReadBlockThatHasFailedIsNotTakenUpAgain() throws Exception {
    DataNodeThread transfer = thread();
    transfer.does(() -> transfer.packet(1, 0));
    transfer.does(() -> transfer.packetDone(0));
    transfer.does(transfer::suspend);
    transfer.does(transfer::resume);
    DataNodeThread other = thread();
    other.does(() -> other.begin(2, BLOCK, null));
    long lost = Disk.LOST_NANOS / 2;
    assertNotNull(other.starts(() -> other.packet(0)).get(lost, TimeUnit.NANOSECONDS));
  }

  /** Its thread connects to the other DataNode first, and that may take its time. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplicaThatIsSentKeepsNobodyFromTheDiskBeforeItsFirstPacket(boolean forClient)
      throws Exception {
    DataNode sends =
        UnstartedDataNode.of(conf, Stubs.answering(FsDatasetSpi.class, "getVolume", () -> volume));
    ExtendedBlock block = new ExtendedBlock(UnstartedDataNode.POOL, 2, BLOCK, 1);
    DataNodeThread transfer = thread();
    transfer.does(
        () -> {
          if (forClient) {
            sendsFor("client", sends, block);
          } else {
            DataNodeReads.sendBegins(IoRole.RE_REPLICATION, sends, block);
          }
          return null;
        });
    thread().streams(1);
    VolumeQueue queue = Volumes.of(conf, volume).queue();
    assertEquals(0, queue.counters().waits(DiskClass.BEST_EFFORT));
    Future<Object> sent = transfer.starts(() -> transfer.packet(2, 0));
    transfer.assertWaits(sent);
    transfer.thread.get().interrupt();
    sent.get(30, TimeUnit.SECONDS);
    transfer.does(
        () -> {
          DataNodeReads.finishRead();
          return null;
        });
  }

  /** The client that wants it hears nothing before all of it is sent. */
  @Test
  void aTransferTakesTurnsForAsLongAsItsClientWaits() throws Exception {
    thread().streams(1);
    DataNodeThread transfer = thread();
    IoPriority idle = IoPriority.IDLE;
    transfer.does(
        () -> {
          BlockRead what = new BlockRead(Volumes.of(conf, volume), 2, 0, PACKET);
          Hint hint = Hint.of(idle, null).patientFor(1);
          ScheduledReads.transferBegins(what.with(hint), idle);
          return null;
        });
    long began = System.nanoTime();
    Future<Object> sent = transfer.starts(() -> transfer.packet(2, 0));
    transfer.assertWaits(sent);
    sent.get(Disk.LOST_NANOS / 2, TimeUnit.NANOSECONDS);
    long third = Patience.transferNanos(1, PACKET);
    assertTrue(System.nanoTime() - began > third / 2, "it has waited");
    transfer.does(transfer::finish);
  }

  private void sendsFor(String client, DataNode sends, ExtendedBlock block) {
    Object transfer = new Object();
    DataNodeWrites.writeBegins(conf, client, false);
    DataNodeWrites.accessChecked(null, "/127.0.0.1:1");
    DataNodeWrites.transferMade(transfer);
    DataNodeWrites.finishWrite();
    DataNodeWrites.transferReads(transfer, sends, block);
  }

  @Test
  void aReadBlockAfterAReadWithoutOneIsOnItsOwn() throws Exception {
    DataNodeThread thread = thread();
    Object failed = thread.does(() -> thread.packet(1, 0));
    thread.does(() -> thread.packetDone(0));
    thread.does(() -> thread.begin(2, BLOCK, null));
    Object own = thread.does(() -> thread.packet(0));
    assertFalse(failed == own);
    thread.does(thread::finish);
    thread().streams(3);
  }

  @Test
  void ourFailureLeavesNoReadInTheQueue() throws Exception {
    FsVolumeSpi broken =
        Stubs.answering(
            FsVolumeSpi.class,
            "getBaseURI",
            () -> {
              throw new IllegalStateException("test");
            });
    DataNodeThread thread = new DataNodeThread(broken);
    assertThrows(
        IllegalStateException.class,
        () ->
            thread.does(
                () -> {
                  BlockRead what = new BlockRead(Volumes.of(conf, broken), 1, 0, BLOCK);
                  ScheduledReads.begin(what, IoPriority.bestEffort(0), ClientConnection.UNKNOWN);
                  return null;
                }));
    assertThrows(IllegalStateException.class, () -> thread.does(() -> thread.packet(1, 0)));
    assertNull(thread.does(() -> thread.packet(1, 1)));
    thread.does(() -> thread.packetDone(1));
    assertNull(thread.does(ScheduledReads::suspend));
    long failed = PriorityMetrics.FAILED.sum();
    thread.does(thread::finish);
    assertEquals(failed, PriorityMetrics.FAILED.sum());
  }

  @Test
  void anInterruptEndsAWaitAndStays() throws Exception {
    thread().streams(1);
    DataNodeThread second = thread();
    Future<Boolean> interrupted =
        second.starts(
            () -> {
              second.begin(2, BLOCK, null);
              second.packet(0);
              return Thread.currentThread().isInterrupted();
            });
    second.assertWaits(interrupted);
    second.thread.get().interrupt();
    assertTrue(interrupted.get(30, TimeUnit.SECONDS));
  }

  @Test
  void whileAllIsOffEveryVolumeIsStock() {
    try (SwitchedOff off = SwitchedOff.all()) {
      assertTrue(isStock());
      assertTrue(Volumes.of(conf, null).mode().isStock(), "of no known volume");
      assertNull(Volumes.of(conf, volume).queue());
      assertEquals("off", Volumes.of(conf, volume).status().getMode());
      assertEquals("all modules: a test", Volumes.of(conf, volume).status().getReason());
    }
    assertFalse(isStock());
    assertNotNull(Volumes.of(conf, volume).queue());
  }

  @Test
  void withoutTheModuleNoVolumeHasTurnsUntilItIsBack() {
    try (SwitchedOff off = SwitchedOff.only(AgentModule.SCHEDULER)) {
      assertEquals(VolumeMode.ORDER, Volumes.of(conf, volume).mode());
    }
    assertEquals(VolumeMode.TURNS, Volumes.of(conf, volume).mode());
  }

  /** With {@code order} as well: what takes turns no more must not hold back what does not. */
  @ParameterizedTest
  @ValueSource(strings = {"all", "off", "order"})
  void whatIsInProgressGoesOnAsStock(String how) throws Exception {
    DataNodeThread first = thread().streams(1);
    Future<Object> waits = thread().waits(2);
    DataNodeThread third = thread();
    try (SwitchedOff off = how.equals("all") ? SwitchedOff.all() : null) {
      if (off == null) {
        mode(how);
      }
      assertGoes(waits);
      assertNull(first.does(() -> first.packet(1)));
      assertEquals(4L << 20, first.does(() -> ScheduledReads.readaheadBytes(4 << 20)));
      third.does(() -> third.begin(3, BLOCK, null));
      assertNull(third.does(() -> third.packet(0)));
    }
    mode("turns");
    assertNull(first.does(() -> first.packet(2)), "it goes on without");
    thread().streams(4);
    assertFalse(thread().waits(5).isDone());
  }
}
