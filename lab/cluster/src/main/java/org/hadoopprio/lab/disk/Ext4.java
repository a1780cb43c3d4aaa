// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.lab.progress.Pauses;

/** An ext4 file system on a block device of its own. Needs root. */
final class Ext4 {

  private static final Path CAN_ENCRYPT = Path.of("/sys/fs/ext4/features/encryption");
  private static final int UNMOUNT_TRIES = 20;
  private static final long UNMOUNT_RETRY_MS = 250;

  private Ext4() {}

  /**
   * Options of mkfs.ext4(8) for a page cache of single pages. The kernel gives a file system that
   * may hold encrypted files no larger ones (fs/ext4/inode.c, ext4_should_enable_large_folio); none
   * of ours is encrypted.
   *
   * <p>Large ones are made of memory that was free in one piece. On a virtual machine that is what
   * the host has taken back, and it needs some 10 us to provide a page again.
   */
  static List<String> singlePages() {
    return Files.exists(CAN_ENCRYPT) ? List.of("-O", "encrypt") : List.of();
  }

  /**
   * Makes the file system and mounts it.
   *
   * @param options of mkfs.ext4(8), beside our own
   */
  static void make(Path node, Path directory, List<String> options) throws IOException {
    Files.createDirectories(directory);
    // The kernel does nothing of its own in the middle of a measurement: inode tables are left
    // unwritten and stay so (noinit_itable), and block bitmaps are read when they are needed.
    List<String> make = new ArrayList<>(List.of("mkfs.ext4", "-q", "-F", "-m", "0"));
    make.addAll(List.of("-i", "65536", "-E", "lazy_itable_init=1"));
    make.addAll(options);
    make.add(node.toString());
    SystemCommand.run(make.toArray(new String[0]));
    SystemCommand.run(
        "mount",
        "-t",
        "ext4",
        "-o",
        "noatime,noinit_itable,no_prefetch_block_bitmaps",
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
        Pauses.sleep(UNMOUNT_RETRY_MS);
      }
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
