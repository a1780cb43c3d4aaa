// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaddedTextTest {

  private static final long BYTES = 8 << 20;

  @Test
  void filesHoldTheBytesAskedForInFewWords(@TempDir Path directory) throws IOException {
    AtomicLong progress = new AtomicLong();
    try (FileSystem fs = FileSystem.newInstanceLocal(new Configuration(false))) {
      PaddedText.write(fs, new org.apache.hadoop.fs.Path(directory.toUri()), BYTES, progress::set);
    }
    long words = 0;
    Set<String> distinct = new HashSet<>();
    for (int file = 1; file <= PaddedText.FILES; file++) {
      byte[] text = Files.readAllBytes(directory.resolve("part-" + file));
      assertEquals(BYTES / PaddedText.FILES, text.length);
      assertEquals('\n', text[text.length - 1]);
      StringTokenizer tokens = new StringTokenizer(new String(text, StandardCharsets.US_ASCII));
      while (tokens.hasMoreTokens()) {
        distinct.add(tokens.nextToken());
        words++;
      }
    }
    assertEquals(BYTES, progress.get());
    assertEquals(BYTES / PaddedText.LINE_BYTES, words);
    assertEquals(PaddedText.VOCABULARY, distinct.size());
  }
}
