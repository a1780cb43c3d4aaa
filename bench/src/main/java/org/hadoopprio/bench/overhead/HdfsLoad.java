package org.hadoopprio.bench.overhead;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Reads and writes of HDFS that all go to one DataNode. Not safe for use by several threads. */
final class HdfsLoad implements Closeable {

  private static final int CHUNK_BYTES = 64 << 10;
  private static final int WRITTEN_BYTES = 64 << 20;
  private static final long SEED = 1;

  private final DistributedFileSystem fs;
  private final InetSocketAddress dataNode;
  private final Hint hint;
  private final Path file;
  private final Path written;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private final Random random = new Random(SEED);
  private FSDataInputStream positioned;

  HdfsLoad(DistributedFileSystem fs, InetSocketAddress dataNode, String number, Hint hint) {
    this.fs = fs;
    this.dataNode = dataNode;
    this.hint = hint;
    this.file = new Path("/overhead/read-" + number);
    this.written = new Path("/overhead/written-" + number);
    new Random(SEED).nextBytes(chunk);
  }

  long read() throws IOException {
    open();
    return hint.at(
        () -> {
          long bytes = 0;
          try (FSDataInputStream in = fs.open(file)) {
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
              bytes += n;
            }
          }
          if (bytes != LoadClient.FILE_BYTES) {
            throw new IOException("read " + bytes + " bytes of " + LoadClient.FILE_BYTES);
          }
          return bytes;
        });
  }

  long pread() throws IOException {
    open();
    long position = random.nextInt(LoadClient.FILE_BYTES - LoadClient.PREAD_BYTES);
    return hint.at(
        () -> {
          positioned.readFully(position, chunk, 0, LoadClient.PREAD_BYTES);
          return LoadClient.PREAD_BYTES;
        });
  }

  long write() throws IOException {
    hint.at(() -> writeFile(written, WRITTEN_BYTES));
    requireHere(written);
    return WRITTEN_BYTES;
  }

  /** The file that is read is made at its first use. */
  private void open() throws IOException {
    if (positioned == null) {
      writeFile(file, LoadClient.FILE_BYTES);
      requireHere(file);
      positioned = fs.open(file);
    }
  }

  private long writeFile(Path path, long bytes) throws IOException {
    try (OutputStream out =
        fs.create(
            path,
            FsPermission.getFileDefault(),
            true,
            CHUNK_BYTES,
            (short) 1,
            fs.getDefaultBlockSize(path),
            null,
            new InetSocketAddress[] {dataNode})) {
      for (long done = 0; done < bytes; done += CHUNK_BYTES) {
        out.write(chunk);
      }
    }
    return bytes;
  }

  /**
   * The NameNode may take another DataNode than the one asked for, and the result would be void.
   */
  private void requireHere(Path path) throws IOException {
    for (BlockLocation block : fs.getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
      for (String name : block.getNames()) {
        if (!name.endsWith(":" + dataNode.getPort())) {
          throw new IOException(
              path + " is on " + Arrays.toString(block.getNames()) + ", not on " + dataNode);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (positioned != null) {
      positioned.close();
    }
  }
}
