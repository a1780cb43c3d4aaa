// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;

/**
 * The files that streams of sequential reads work on, one for each stream: readers of one file
 * would feed each other from the page cache.
 */
public final class StreamFiles {

  private static final int CHUNK_BYTES = 1 << 20;
  private static final long SEED = 1;

  private StreamFiles() {}

  /** The file of a stream. */
  public static Path file(Path directory, int stream) {
    return new Path(directory, "stream-" + stream);
  }

  /**
   * Writes files of random data, each of one HDFS block.
   *
   * @param first the number of the first file, from 0
   * @param count how many files
   * @param bytesEach their size, a multiple of 1 MiB
   * @param progress is repeatedly told how many bytes are written
   */
  public static void write(
      FileSystem fs, Path directory, int first, int count, long bytesEach, LongConsumer progress)
      throws IOException {
    if (bytesEach < CHUNK_BYTES || bytesEach % CHUNK_BYTES != 0) {
      throw new IllegalArgumentException(
          "a stream's file is one or more whole MiB, not " + bytesEach + " bytes");
    }
    // One chunk again and again is random enough: nothing below compresses or compares data.
    byte[] chunk = new byte[CHUNK_BYTES];
    new Random(SEED).nextBytes(chunk);
    long written = 0;
    for (int stream = first; stream < first + count; stream++) {
      OutputStream out =
          fs.create(
              file(directory, stream),
              true,
              CHUNK_BYTES,
              fs.getDefaultReplication(directory),
              bytesEach);
      try {
        for (long done = 0; done < bytesEach; done += CHUNK_BYTES) {
          out.write(chunk);
          written += CHUNK_BYTES;
          progress.accept(written);
        }
      } catch (IOException e) {
        // Its close throws the same exception again, which cannot be suppressed by itself.
        IOUtils.closeStream(out);
        throw e;
      }
      out.close();
    }
  }
}
