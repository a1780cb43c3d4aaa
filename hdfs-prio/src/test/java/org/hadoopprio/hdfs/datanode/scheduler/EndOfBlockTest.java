// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitWaiting;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.hdfs.datanode.UnstartedDataNode;
import org.hadoopprio.linux.DescriptorNumber;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The syncs of a block at its end, and those that its client asks for before. */
@Timeout(60)
class EndOfBlockTest {

  private final Configuration conf = new Configuration(false);
  private final Path directory = Path.of("src/main").toAbsolutePath();
  private final FsVolumeSpi volume =
      Stubs.answering(FsVolumeSpi.class, "getBaseURI", directory::toUri);
  private final Replica replica = new FinalizedReplica(new Block(1, 0, 1), volume, null);
  private final Object streams = new Object();

  /** A read that asks while the block is synced. */
  private final Ticket reader = Tickets.be(4, new Stream());

  private VolumeQueue queue;
  private Path file;
  private FileOutputStream out;

  @BeforeEach
  void aBlockIsReceivedFromADiskThatIsRead() throws Exception {
    WorkingDirectory.requireBlockDevice();
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    // Whether or not this machine's disk rotates.
    conf.set(SchedulerKeys.STREAMS.name(), "1");
    file = Files.createTempFile(Path.of("").toAbsolutePath(), "end", ".tmp");
    out = new FileOutputStream(file.toFile());
    queue = Volumes.of(conf, volume).queue();
    // Since then the disk is shared.
    Ticket realtime = Tickets.realtime();
    queue.enterRealtime(realtime, false);
    queue.doneRealtime(realtime);
    DataNodeWrites.writeBegins(conf, "", false);
    DataNodeWrites.receiveBegins(UnstartedDataNode.of(conf), replica);
    DataNodeWrites.receivesInto(streams);
  }

  @AfterEach
  void close() throws IOException {
    writeEnds();
    queue.cancel(reader);
    out.close();
    Files.delete(file);
  }

  private void sync() {
    try {
      DataNodeWrites.checksumsSync(streams, out.getFD(), out.getFD());
      DataNodeWrites.syncBegins(streams, out.getFD());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    DataNodeWrites.syncEnds(streams);
  }

  private void writeEnds() {
    DataNodeWrites.receiveEnds(replica);
    DataNodeWrites.finishWrite();
  }

  /** HDFS syncs the directories after the files (dfs.datanode.synconclose). */
  @Test
  void itGoesOnUntilTheWriteHasEnded() {
    CompletableFuture.runAsync(this::sync).join();
    CompletableFuture<?> read = CompletableFuture.runAsync(() -> queue.enter(reader, () -> false));
    awaitWaiting(queue, 1);
    writeEnds();
    read.join();
    assertTrue(reader.isIn());
  }

  @Test
  void oneThatTheClientAsksForEndsWhenTheDataIsSynced() {
    sync();
    CompletableFuture.runAsync(() -> queue.enter(reader, () -> false)).join();
    assertTrue(reader.isIn());
  }
}
