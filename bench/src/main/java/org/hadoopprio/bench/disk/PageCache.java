package org.hadoopprio.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The kernel's page cache. */
public final class PageCache {

  private PageCache() {}

  /**
   * Drops the files below a directory, other than blocks that HDFS is writing (rbw): the next
   * append to one would read its last page back, and that read would show in a trace of something
   * else.
   */
  static void evict(Path directory) throws IOException {
    SystemCommand.run("sync", "-f", directory.toString());
    // Reads nothing: count=0 with nocache only gives the kernel the advice for the whole file.
    SystemCommand.run(
        "find",
        directory.toString(),
        "-type",
        "f",
        "-not",
        "-path",
        "*/rbw/*",
        "-exec",
        "dd",
        "if={}",
        "iflag=nocache",
        "count=0",
        "status=none",
        ";");
  }

  /**
   * Drops some files, but for pages that are dirty or on their way to somebody.
   *
   * @param files that exist or existed
   */
  public static void evict(Collection<Path> files) throws IOException {
    if (files.stream().noneMatch(Files::exists)) {
      return;
    }
    List<String> line = new ArrayList<>(List.of("find"));
    files.stream().filter(Files::exists).map(Path::toString).forEach(line::add);
    line.addAll(List.of("-exec", "dd", "if={}", "iflag=nocache", "count=0", "status=none", ";"));
    SystemCommand.run(line.toArray(new String[0]));
  }
}
