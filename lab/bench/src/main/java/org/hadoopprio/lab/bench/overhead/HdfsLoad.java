package org.hadoopprio.lab.bench.overhead;

import java.io.Closeable;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Reads and writes of HDFS that all go to one DataNode. Not safe for use by several threads. */
final class HdfsLoad implements Closeable {

  private static final int CHUNK_BYTES = 64 << 10;
  private static final int WRITTEN_BYTES = 64 << 20;
  private static final long SEED = 1;

  private final DistributedFileSystem fs;
  private final PinnedFiles files;
  private final Hint hint;
  private final Path file;
  private final Path written;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private final Random random = new Random(SEED);
  private FSDataInputStream positioned;

  HdfsLoad(DistributedFileSystem fs, int dataPort, String number, Hint hint) {
    this.fs = fs;
    this.files = new PinnedFiles(fs, dataPort);
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
    hint.at(
        () -> {
          files.write(written, chunk, WRITTEN_BYTES);
          return WRITTEN_BYTES;
        });
    files.requireHere(written);
    return WRITTEN_BYTES;
  }

  /** Writes the file that is read when it is first used. */
  private void open() throws IOException {
    if (positioned == null) {
      files.write(file, chunk, LoadClient.FILE_BYTES);
      files.requireHere(file);
      positioned = fs.open(file);
    }
  }

  @Override
  public void close() throws IOException {
    if (positioned != null) {
      positioned.close();
    }
  }
}
