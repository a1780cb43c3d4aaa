package org.hadoopprio.bench.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Text for wordcount whose words are long, in files of HDFS. Wordcount's work grows with words, the
 * disk's with bytes: over prose, two cores are busy before the disk is.
 */
public final class LongWords {

  static final int FILES = 4;
  static final int WORD_BYTES = 1024;
  static final int VOCABULARY = 500;

  private static final int WORDS_PER_LINE = 16;
  private static final int LETTERS = 26;
  private static final long SEED = 1;

  private final Random random = new Random(SEED);
  private final byte[][] vocabulary = new byte[VOCABULARY][WORD_BYTES];

  private LongWords() {
    for (byte[] word : vocabulary) {
      for (int i = 0; i < WORD_BYTES - 1; i++) {
        word[i] = (byte) ('a' + random.nextInt(LETTERS));
      }
      word[WORD_BYTES - 1] = ' ';
    }
  }

  /**
   * Writes files of equal size, always the same ones.
   *
   * @param bytes of all files together, rounded down to whole lines
   * @param progress is told again and again how many bytes are written
   */
  public static void write(FileSystem fs, Path directory, long bytes, LongConsumer progress)
      throws IOException {
    LongWords words = new LongWords();
    long lines = bytes / FILES / (WORDS_PER_LINE * WORD_BYTES);
    long written = 0;
    for (int file = 1; file <= FILES; file++) {
      try (OutputStream out = fs.create(new Path(directory, "part-" + file))) {
        for (long line = 0; line < lines; line++) {
          out.write(words.line());
          written += WORDS_PER_LINE * WORD_BYTES;
          progress.accept(written);
        }
      }
    }
  }

  private byte[] line() {
    byte[] line = new byte[WORDS_PER_LINE * WORD_BYTES];
    for (int word = 0; word < WORDS_PER_LINE; word++) {
      System.arraycopy(
          vocabulary[random.nextInt(VOCABULARY)], 0, line, word * WORD_BYTES, WORD_BYTES);
    }
    line[line.length - 1] = '\n';
    return line;
  }
}
