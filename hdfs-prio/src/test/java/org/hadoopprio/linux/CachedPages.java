// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;

/**
 * What the page cache has of a file, by programs that have nothing to do with {@link PageCache}.
 */
public final class CachedPages {

  private CachedPages() {}

  /**
   * Takes a file out of the page cache. POSIX_FADV_DONTNEED leaves a folio there that somebody
   * holds for a moment, as DAMON does, and one folio may be the whole file.
   */
  public static void drop(Path file) throws IOException, InterruptedException {
    do {
      run("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none");
    } while (!run("fincore", "--noheadings", "--output=PAGES", file.toString()).equals("0"));
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).trim();
    assertEquals(0, process.waitFor(), command[0]);
    return output;
  }
}
