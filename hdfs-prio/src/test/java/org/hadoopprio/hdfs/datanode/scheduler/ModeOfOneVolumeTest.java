// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.hdfs.datanode.UnstartedDataNode;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.linux.CachedPages;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.metrics.QueueStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One of two volumes on this machine's disk leaves mode turns. Whoever waits there goes on within
 * some seconds. The wait would end after 10 s, when whoever has the disk counts as lost.
 */
@Timeout(60)
class ModeOfOneVolumeTest {

  private static final int MIB = 1 << 20;
  private static final int PACKET = 64 << 10;

  private final Configuration conf = new Configuration(false);
  private final Path first = Path.of("src/main").toAbsolutePath();
  private final Path second = Path.of("src/test").toAbsolutePath();
  private final FsVolumeSpi volume = Stubs.answering(FsVolumeSpi.class, "getBaseURI", first::toUri);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Ticket holder = Tickets.be(4, new Stream());

  /** The other volume. */
  private Volume stays;

  private VolumeQueue queue;
  private Path file;

  private interface Work {
    void run() throws Exception;
  }

  @BeforeEach
  void aStreamOfTheOtherVolumeHasTheDisk() throws IOException {
    WorkingDirectory.requireBlockDevice();
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    // Whether or not this machine's disk rotates.
    conf.set(SchedulerKeys.STREAMS.name(), "1");
    stays = Volume.of(second.toUri(), SchedulerSettings.of(conf));
    queue = stays.queue();
    assertTrue(queue.enter(holder, () -> false));
    file = Files.createTempFile(Path.of("").toAbsolutePath(), "mode", ".tmp");
  }

  @AfterEach
  void stop() throws Exception {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
    Files.deleteIfExists(file);
  }

  private BlockRead block(long length) {
    return new BlockRead(Volumes.of(conf, volume), 1, 0, length);
  }

  private int waiting() {
    QueueStatus status = queue.status();
    return status.getBestEffort().getWaiting() + status.getRealtime().getWaiting();
  }

  private void endsWhenTheVolumeLeaves(Work waits) throws Exception {
    Future<?> goes =
        threads.submit(
            () -> {
              waits.run();
              return null;
            });
    soon("it waits").failFast("it does not wait", goes::isDone).until(() -> waiting() > 0);
    leave();
    goes.get();
    assertEquals(0, queue.counters().overdueWaits());
    assertEquals(0, queue.counters().lostReads());
    assertEquals(0, waiting());
    assertTrue(stays.isInForce());
    assertEquals(Claim.State.IN, holder.state(), "others keep their turn");
    queue.done(holder);
  }

  private void leave() {
    SchedulerSettings.reconfigure(conf, SchedulerKeys.MODE, "turns, " + first + "=order");
  }

  @Test
  void aShortRead() throws Exception {
    ScheduledRead read = ScheduledReads.make(block(4 << 10), null);
    endsWhenTheVolumeLeaves(() -> read.packet(0, 4 << 10, (offset, length) -> false));
    read.finish();
  }

  @Test
  void aRealtimeRead() throws Exception {
    List<Ticket> inside = new ArrayList<>();
    for (int i = 0; i < Disk.REALTIME_DEPTH; i++) {
      inside.add(Tickets.realtime());
      queue.enterRealtime(inside.get(i), false);
    }
    ScheduledRead read = ScheduledReads.make(block(MIB), IoPriority.realtime(0));
    endsWhenTheVolumeLeaves(read::begin);
    read.finish();
    inside.forEach(queue::doneRealtime);
  }

  @Test
  void aReadAheadOfAStream() throws Exception {
    Files.write(file, new byte[4 * MIB]);
    CachedPages.drop(file);
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      CachedData data = ScheduledReadTest.data(in, false);
      // Since then the disk is shared.
      Ticket realtime = Tickets.realtime();
      queue.enterRealtime(realtime, false);
      queue.doneRealtime(realtime);
      ScheduledRead read = ScheduledReads.make(block(4L * MIB), null);
      endsWhenTheVolumeLeaves(() -> read.packet(0, 4 * MIB, data));
      read.finish();
    }
  }

  @Test
  void aSync() throws Exception {
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      ScheduledWrite write =
          ScheduledWrite.of(
              Volumes.of(conf, volume), volume, new DiskRequest(Hint.NOTHING), 0, 0, MIB);
      endsWhenTheVolumeLeaves(() -> write.syncBegins(out.getFD()));
      write.syncEnds();
      write.finish();
    }
  }

  @Test
  void aShortCircuitRead() throws Exception {
    ShortCircuitPiece piece =
        ShortCircuitPiece.of(block(4 << 10), null, new DiskRequest(Hint.NOTHING));
    endsWhenTheVolumeLeaves(() -> piece.enter(new ShortCircuitPieceTest.Replica(false)));
    piece.leave();
  }

  /** It would be slower than stock's to its end. */
  @Test
  void theKernelReadsAheadAgainOfAReadThatGoesOn() throws Exception {
    Files.write(file, new byte[4 * MIB]);
    CachedPages.drop(file);
    DataNode dataNode = UnstartedDataNode.of(conf);
    // So many that nothing is read ahead of one, whoever else uses the disk.
    for (int i = 0; i < 1_000; i++) {
      queue.realtimeReaders().begun();
    }
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      ScheduledReads.begin(block(4L * MIB), IoPriority.realtime(0), ClientConnection.UNKNOWN);
      Object goes = packet(dataNode, in, 0);
      assertTrue(goes instanceof ScheduledRead, "takes turns");
      assertFalse(isReadAhead(in, MIB));
      leave();
      assertNull(packet(dataNode, in, 1));
      assertTrue(isReadAhead(in, 2 * MIB));
    } finally {
      ScheduledReads.finish();
    }
  }

  private Object packet(DataNode dataNode, FileInputStream data, long number) {
    FsVolumeReference reference =
        Stubs.answering(FsVolumeReference.class, "getVolume", () -> volume);
    return ScheduledReads.packet(
        dataNode,
        new ExtendedBlock("pool", 1),
        new ReplicaInputStreams(data, null, reference, null),
        number,
        number * PACKET,
        4 * MIB);
  }

  /** Whether more comes into the page cache than is read there, one piece after the other. */
  private static boolean isReadAhead(FileInputStream in, long offset) throws IOException {
    in.getChannel().read(ByteBuffer.allocate(PACKET / 2), offset);
    in.getChannel().read(ByteBuffer.allocate(PACKET / 2), offset + PACKET / 2);
    return PageCache.isResident(DescriptorNumber.of(in.getFD()), offset + PACKET, 1);
  }
}
