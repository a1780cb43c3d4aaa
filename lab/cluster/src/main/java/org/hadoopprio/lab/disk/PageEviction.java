// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Takes files out of the page cache of the kernel. */
public final class PageEviction {

  private static final int TRIES = 10;
  private static final long PAUSE_NS = 100_000_000;

  private PageEviction() {}

  /**
   * Drops the files below a directory, other than blocks that HDFS is writing (rbw): the next
   * append to one would read its last page back, and that read would show in a trace of something
   * else. Pages that are being read ahead cannot be dropped, so it tries again for a while.
   */
  static void evict(Path directory) throws IOException {
    SystemCommand.run("sync", "-f", directory.toString());
    evictOnce(directory);
    for (int tries = 1; tries < TRIES && residentBytes(directory) > 0; tries++) {
      LockSupport.parkNanos(PAUSE_NS);
      evictOnce(directory);
    }
  }

  /** Bytes of those files that are in the page cache; mincore(2), as fincore(1) tells it. */
  static long residentBytes(Path directory) throws IOException {
    // What it says of files that are gone meanwhile is dropped.
    String fincore = "fincore -n -b -r -o RES \"$@\" 2>/dev/null || true";
    return files(directory, "-exec", "sh", "-c", fincore, "sh", "{}", "+")
        .lines()
        .mapToLong(Long::parseLong)
        .sum();
  }

  private static void evictOnce(Path directory) throws IOException {
    // Reads nothing: count=0 with nocache only gives the kernel the advice for the whole file.
    files(directory, "-exec", "dd", "if={}", "iflag=nocache", "count=0", "status=none", ";");
  }

  private static String files(Path directory, String... action) throws IOException {
    List<String> line = new ArrayList<>(List.of("find", directory.toString()));
    // An empty file has no pages, and fincore has nothing to say of it.
    line.addAll(List.of("-ignore_readdir_race", "-type", "f", "-size", "+0"));
    line.addAll(List.of("-not", "-path", "*/rbw/*"));
    line.addAll(List.of(action));
    return SystemCommand.run(line.toArray(new String[0]));
  }

  /**
   * Drops some files, but for pages that are dirty or on their way to somebody.
   *
   * @param files that exist or existed
   */
  public static void evict(Collection<Path> files) throws IOException {
    // HDFS may delete one at any time.
    String each =
        "for f; do dd if=\"$f\" iflag=nocache count=0 status=none || [ ! -e \"$f\" ] || exit; done";
    List<String> line = new ArrayList<>(List.of("sh", "-c", each, "sh"));
    files.stream().filter(Files::exists).map(Path::toString).forEach(line::add);
    SystemCommand.run(line.toArray(new String[0]));
  }
}
