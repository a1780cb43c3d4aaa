package org.hadoopprio.bench.disk;

import java.io.IOException;
import java.nio.file.Path;

/** The kernel's page cache. */
final class PageCache {

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
}
