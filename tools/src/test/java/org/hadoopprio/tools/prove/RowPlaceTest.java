// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a store file that is not as expected; ProveIT of lab/it has one that is. */
class RowPlaceTest {

  /** As Hadoop's codecs that need a native library; it writes. */
  public static final class NativeCodec extends DefaultCodec {

    @Override
    public Decompressor createDecompressor() {
      throw new RuntimeException("native lzo library not available");
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
      throw new RuntimeException("native lzo library not available");
    }
  }

  private static final byte[] FAMILY = Bytes.toBytes("f");

  @TempDir private java.nio.file.Path directory;

  private final Configuration conf = HBaseConfiguration.create();

  private Optional<RowPlace> find(Compression.Algorithm compression, String row)
      throws IOException {
    // HBase asks a configuration of its own.
    Configuration.addDefaultResource("missing-codec.xml");
    FileSystem fs = FileSystem.getLocal(conf);
    Path path = new Path(directory.toUri().toString(), "file");
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, CacheConfig.DISABLED)
            .withPath(fs, path)
            .withFileContext(new HFileContextBuilder().withCompression(compression).build())
            .create()) {
      writer.append(new KeyValue(Bytes.toBytes("row"), FAMILY, FAMILY, FAMILY));
    }
    FileStatus file = fs.getFileStatus(path);
    if (row.isEmpty()) {
      fs.delete(path, false);
    }
    return RowPlace.find(fs, file, conf, Bytes.toBytes(row));
  }

  @Test
  void aCodecThatIsMissingIsNamed() {
    IOException e = assertThrows(IOException.class, () -> find(Compression.Algorithm.LZO, "row"));
    assertTrue(e.getMessage().contains("native lzo library not available"), e.getMessage());
    assertTrue(e.getMessage().contains("; its compression is LZO: if its codec"), e.getMessage());
  }

  @Test
  void aFileWithoutTheRowIsPassedOver() throws IOException {
    assertEquals(Optional.empty(), find(Compression.Algorithm.NONE, "other"));
  }

  /** HDFS says only that there is no such file. */
  @Test
  void aFileThatIsGoneWasCompactedAway() {
    IOException e = assertThrows(IOException.class, () -> find(Compression.Algorithm.NONE, ""));
    assertTrue(e.getMessage().startsWith("store file file:/"), e.getMessage());
    assertTrue(e.getMessage().endsWith(" was compacted away meanwhile; repeat it"), e.getMessage());
  }

  @Test
  void onlyHdfsIsFollowed() {
    IOException e = assertThrows(IOException.class, () -> find(Compression.Algorithm.NONE, "row"));
    assertTrue(e.getMessage().startsWith("hbase.rootdir is not in HDFS"), e.getMessage());
  }
}
