package org.hadoopprio.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's page cache. */
final class PageCache {

  private PageCache() {}

  /** Drops the files below a directory; as root, every clean page of the machine. */
  static void evict(Path directory) throws IOException {
    SystemCommand.run("sync", "-f", directory.toString());
    if (Privileges.isRoot()) {
      // 1: data only. Dropping inodes too would add metadata reads to what is measured next.
      Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "1");
      return;
    }
    // Reads nothing: count=0 with nocache only gives the kernel the advice for the whole file.
    SystemCommand.run(
        "find",
        directory.toString(),
        "-type",
        "f",
        "-exec",
        "dd",
        "if={}",
        "iflag=nocache",
        "count=0",
        "status=none",
        ";");
  }
}
