// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Text for wordcount, in files of HDFS: records of a fixed width, a word and blanks. Wordcount's
 * work grows with words, the disk's with bytes: over prose, two cores are busy before the disk is.
 */
public final class PaddedText {

  /** How many files there are. */
  public static final int FILES = 4;

  /** The length of a line, which has one word. */
  public static final int LINE_BYTES = 4096;

  static final int VOCABULARY = 100;

  private static final long SEED = 1;

  private PaddedText() {}

  /**
   * Writes files of equal size, always the same ones.
   *
   * @param bytes of all files together, rounded down to whole lines
   * @param progress is repeatedly told how many bytes are written
   */
  public static void write(FileSystem fs, Path directory, long bytes, LongConsumer progress)
      throws IOException {
    Random random = new Random(SEED);
    byte[] line = new byte[LINE_BYTES];
    Arrays.fill(line, (byte) ' ');
    line[LINE_BYTES - 1] = '\n';
    long lines = bytes / FILES / LINE_BYTES;
    long written = 0;
    for (int file = 1; file <= FILES; file++) {
      try (OutputStream out = fs.create(file(directory, file))) {
        for (long i = 0; i < lines; i++) {
          byte[] word = word(random.nextInt(VOCABULARY));
          System.arraycopy(word, 0, line, 0, word.length);
          out.write(line);
          written += LINE_BYTES;
          progress.accept(written);
        }
      }
    }
  }

  /** The file with a number, from 1. */
  public static Path file(Path directory, int number) {
    return new Path(directory, "part-" + number);
  }

  private static byte[] word(int number) {
    return String.format("word%04d", number).getBytes(StandardCharsets.US_ASCII);
  }
}
