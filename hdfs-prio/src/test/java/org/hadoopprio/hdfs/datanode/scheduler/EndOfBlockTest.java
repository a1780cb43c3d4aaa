// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitWaiting;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The syncs of a block at its end, and those that its client asks for before. */
@Timeout(60)
class EndOfBlockTest {

  private final Configuration conf = new Configuration(false);
  private final Path directory = Path.of("src/main").toAbsolutePath();
  private final FsVolumeSpi volume =
      Stubs.answering(FsVolumeSpi.class, "getBaseURI", directory::toUri);
  private final Replica replica = new FinalizedReplica(new Block(1, 0, 1), volume, null);
  private final Object streams = new Object();
  private final Object block = new Object();

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
    DataNodeWrites.receivesInto(streams, block);
  }

  @AfterEach
  void close() throws IOException {
    writeEnds();
    queue.cancel(reader);
    out.close();
    Files.delete(file);
  }

  private void filesSync() {
    try {
      DataNodeWrites.checksumsSync(streams, out.getFD(), out.getFD());
      DataNodeWrites.syncBegins(streams, out.getFD());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void writeEnds() {
    DataNodeWrites.receiveEnds(replica);
    DataNodeWrites.finishWrite();
  }

  /** A sync that is not at an end would be regarded as lost after a second. */
  private void assertReadGoesOnAfter(Runnable end) throws Exception {
    CompletableFuture<?> read = CompletableFuture.runAsync(() -> queue.enter(reader, () -> false));
    awaitWaiting(queue, 1);
    end.run();
    read.get(900, TimeUnit.MILLISECONDS);
    assertTrue(reader.isIn());
  }

  /** By a PacketResponder, or by the thread that receives if no client writes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theLastOneGoesOnUntilTheBlockIsFinalized(boolean byAnother) throws Exception {
    if (byAnother) {
      CompletableFuture.runAsync(this::filesSync).join();
    } else {
      filesSync();
    }
    assertReadGoesOnAfter(() -> DataNodeWrites.syncEnds(block));
  }

  @Test
  void oneThatAClientAsksForGoesOnUntilAllIsSynced() throws Exception {
    filesSync();
    assertReadGoesOnAfter(() -> DataNodeWrites.syncEnds(streams));
  }

  @Test
  void noneOutlastsTheWrite() throws Exception {
    filesSync();
    assertReadGoesOnAfter(this::writeEnds);
  }
}
