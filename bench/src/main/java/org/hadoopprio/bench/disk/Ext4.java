package org.hadoopprio.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An ext4 file system on a block device of its own. Needs root. */
final class Ext4 {

  private static final int UNMOUNT_TRIES = 20;
  private static final long UNMOUNT_RETRY_MS = 250;

  private Ext4() {}

  /** Makes the file system and mounts it. */
  static void make(Path node, Path directory) throws IOException {
    Files.createDirectories(directory);
    // Inode tables are left unwritten, and stay so (noinit_itable): else the kernel would fill
    // them in the background, in the middle of a measurement.
    SystemCommand.run(
        "mkfs.ext4",
        "-q",
        "-F",
        "-m",
        "0",
        "-i",
        "65536",
        "-E",
        "lazy_itable_init=1",
        node.toString());
    SystemCommand.run(
        "mount",
        "-t",
        "ext4",
        "-o",
        "noatime,noinit_itable",
        node.toString(),
        directory.toString());
  }

  /** Unmounts what is mounted on a directory, if anything is. */
  static void unmount(Path directory) throws IOException {
    for (int tries = 1; isMounted(directory); tries++) {
      try {
        SystemCommand.run("umount", directory.toString());
      } catch (IOException e) {
        if (tries == UNMOUNT_TRIES) {
          throw e;
        }
        // A process that was just killed keeps its files open for a moment.
        pause();
      }
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(UNMOUNT_RETRY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a disk was being unmounted", e);
    }
  }

  private static boolean isMounted(Path directory) throws IOException {
    String wanted = directory.toAbsolutePath().toString();
    for (String mount : Files.readAllLines(Path.of("/proc/self/mounts"))) {
      String[] fields = mount.split(" ", -1);
      if (fields[1].replace("\\040", " ").equals(wanted)) {
        return true;
      }
    }
    return false;
  }
}
