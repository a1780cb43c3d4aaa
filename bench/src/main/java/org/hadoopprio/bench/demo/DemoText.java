package org.hadoopprio.bench.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Writes the text corpus into HDFS, in files of one block each. */
final class DemoText {

  private static final int FILES = 4;
  private static final long CHUNK_BYTES = 1 << 20;

  private DemoText() {}

  /**
   * Writes about {@code bytes} of text.
   *
   * @param progress is told again and again how many bytes are written
   * @return how many bytes were written
   */
  static long write(
      TextCorpus corpus, FileSystem fs, Path directory, long bytes, LongConsumer progress)
      throws IOException {
    TextCorpus.Cursor cursor = corpus.cursor();
    long written = 0;
    for (int i = 1; i <= FILES; i++) {
      try (OutputStream out = fs.create(new Path(directory, "part-" + i))) {
        while (written < bytes * i / FILES) {
          written += cursor.write(out, CHUNK_BYTES);
          progress.accept(written);
        }
      }
    }
    return written;
  }
}
