// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hadoopprio.lab.progress.Pauses;

/**
 * A control group of the kernel that limits the memory of one daemon, and with it the page cache of
 * what that daemon reads (Linux, Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst).
 *
 * <p>In version 1 it is made below this process's own group; in version 2, where a group with
 * processes can have no groups with limits below it, at the top of the hierarchy. Immutable.
 */
final class MemoryGroup {

  private static final Path OWN = Path.of("/proc/self/cgroup");
  private static final Path MOUNTS = Path.of("/proc/self/mounts");
  private static final String PREFIX = "hadoop-prio-";
  private static final int REMOVE_TRIES = 50;
  private static final long REMOVE_PAUSE_MS = 100;

  private final Path directory;
  private final String limitFile;

  private MemoryGroup(Path directory, String limitFile) {
    this.directory = directory;
    this.limitFile = limitFile;
  }

  /** Whether this process may limit memory. */
  static boolean areAllowed() throws IOException {
    return of("").isPresent();
  }

  /**
   * The group of a daemon, whether it exists or not; empty where this process cannot make one.
   *
   * @param name unique among all clusters of this machine
   */
  static Optional<MemoryGroup> of(String name) throws IOException {
    return of(name, Files.readString(MOUNTS), Files.readString(OWN));
  }

  /** The same for what {@code /proc/self/mounts} and {@code /proc/self/cgroup} say. */
  static Optional<MemoryGroup> of(String name, String mounts, String own) {
    for (String line : mounts.lines().toArray(String[]::new)) {
      String[] mount = line.split(" ", -1);
      Path top = Path.of(mount[1]);
      if (mount[2].equals("cgroup") && List.of(mount[3].split(",", -1)).contains("memory")) {
        return writable(inside(top, own), name, "memory.limit_in_bytes");
      }
      if (mount[2].equals("cgroup2") && distributesMemory(top)) {
        return writable(top, name, "memory.max");
      }
    }
    return Optional.empty();
  }

  private static Optional<MemoryGroup> writable(Path parent, String name, String limitFile) {
    return Files.isWritable(parent)
        ? Optional.of(new MemoryGroup(parent.resolve(PREFIX + name), limitFile))
        : Optional.empty();
  }

  private static boolean distributesMemory(Path top) {
    try {
      String given = Files.readString(top.resolve("cgroup.subtree_control"));
      return List.of(given.strip().split(" ", -1)).contains("memory");
    } catch (IOException e) {
      return false;
    }
  }

  /** This process's group; in a container the top may be that group already. */
  private static Path inside(Path top, String own) {
    try (Stream<String> lines = own.lines()) {
      return lines
          .map(line -> line.split(":", 3))
          .filter(fields -> List.of(fields[1].split(",", -1)).contains("memory"))
          .map(fields -> Path.of(top + fields[2]))
          .filter(Files::isDirectory)
          .findFirst()
          .orElse(top);
    }
  }

  Path directory() {
    return directory;
  }

  /** Creates the group if it does not exist, and sets its limit. */
  void limit(long bytes) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(limitFile), Long.toString(bytes));
  }

  /** The limit in force, in bytes. */
  long limit() throws IOException {
    return Long.parseLong(Files.readString(directory.resolve(limitFile)).strip());
  }

  /** A command prefix that runs the command in the group. */
  List<String> prefix() {
    return List.of(
        "sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", directory.resolve("cgroup.procs").toString());
  }

  /** Removes the group, if there is one, as soon as its last process has ended. */
  void remove() throws IOException {
    for (int tries = 1; Files.isDirectory(directory); tries++) {
      try {
        // Its files are not files to the kernel: the directory goes with them.
        Files.delete(directory);
      } catch (IOException e) {
        if (tries == REMOVE_TRIES) {
          throw e;
        }
        Pauses.sleep(REMOVE_PAUSE_MS);
      }
    }
  }
}
