// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.hdfs.datanode.UnstartedDataNode;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.linux.DescriptorNumber;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockReadTest {

  private static final int CACHED_BYTES = 256 << 10;
  private static final int BLOCK_BYTES = 1 << 20;

  @TempDir Path directory;

  @BeforeAll
  static void openJavaIo() {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
  }

  private FsDatasetSpi<?> data() throws IOException {
    Path file = Files.write(directory.resolve("blk_1"), new byte[CACHED_BYTES]);
    try (RandomAccessFile longer = new RandomAccessFile(file.toFile(), "rw")) {
      // A hole, of which nothing is in the page cache.
      longer.setLength(BLOCK_BYTES);
    }
    FsVolumeSpi volume = Stubs.answering(FsVolumeSpi.class, "getBaseURI", directory::toUri);
    return Stubs.answering(
        FsDatasetSpi.class,
        Map.of(
            "getBlockInputStream",
            () -> new FileInputStream(file.toFile()),
            "getVolume",
            () -> volume));
  }

  /** A replica that the kernel knows; of its checksums so many bytes are in the page cache. */
  private BlockRead ofReplica(long offset, int cachedSums, boolean checksums) throws IOException {
    Path finalized =
        Files.createDirectories(
            directory.resolve("current/" + UnstartedDataNode.POOL + "/current/finalized"));
    Path blocks = Files.createDirectories(finalized.resolve("subdir0/subdir0"));
    Path file = Files.write(blocks.resolve("blk_1"), new byte[16 * BLOCK_BYTES]);
    Path sums = Files.write(blocks.resolve("blk_1_1001.meta"), new byte[cachedSums]);
    try (RandomAccessFile longer = new RandomAccessFile(sums.toFile(), "rw")) {
      longer.setLength(7 + 16 * BLOCK_BYTES / 128);
    }
    SchedulerSettings settings = SchedulerSettings.of(new Configuration(false));
    Volume volume = Volume.of(directory.toUri(), settings);
    FsDatasetSpi<?> data =
        Stubs.answering(
            FsDatasetSpi.class,
            Map.of(
                "getBlockInputStream",
                () -> new FileInputStream(file.toFile()),
                "getMetaDataInputStream",
                () -> new LengthInputStream(new FileInputStream(sums.toFile()), Files.size(sums))));
    ExtendedBlock block = new ExtendedBlock(UnstartedDataNode.POOL, 1, 16 * BLOCK_BYTES, 1001);
    return new BlockRead(data, block, volume, 1, offset, CACHED_BYTES, Hint.NOTHING, checksums);
  }

  /** It must not pass a closed gate because of its data alone. */
  @ParameterizedTest
  @CsvSource({
    // offset in the block, checksums in the page cache, expected
    "0, 0, false",
    "0, 4096, true",
    "8388608, 4096, false",
    "8388608, 131072, true",
  })
  void aReadIsCachedIfItsChecksumsAreToo(long offset, int cachedSums, boolean expected)
      throws IOException {
    assertEquals(expected, ofReplica(offset, cachedSums, true).isCachedAndKnown());
    assertTrue(ofReplica(offset, cachedSums, false).isCachedAndKnown(), "the client wants none");
  }

  private BlockRead read(long offset, long length) throws Exception {
    ExtendedBlock block = new ExtendedBlock(UnstartedDataNode.POOL, 1);
    return BlockRead.of(
        UnstartedDataNode.of(new Configuration(false), data()),
        block,
        offset,
        length,
        Hint.NOTHING,
        false);
  }

  /** A read that counts as cached has no latency target and waits for nobody. */
  @ParameterizedTest
  @CsvSource({
    "0, 65536, true",
    "0, 262144, true",
    "0, 262145, false",
    "0, 1048576, false",
    "262144, 65536, false",
    "4097, 0, false",
    "0, -1, false"
  })
  void aReadIsCachedIfAllOfItIs(long offset, long length, boolean expected) throws Exception {
    assertEquals(expected, read(offset, length).isCached());
  }

  @Test
  void aReadToTheEndOfTheBlockIsLong() throws Exception {
    assertTrue(read(0, -1).length() > StreamTable.SHORT_BYTES);
  }
}
