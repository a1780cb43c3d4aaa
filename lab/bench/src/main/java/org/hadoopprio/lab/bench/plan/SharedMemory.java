// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.SystemCommand;

/**
 * Starts processes in a daemon's memory control group, so that the page cache of what they read has
 * its limit, too.
 */
final class SharedMemory {

  private static final String GROUPS = "/sys/fs/cgroup";

  private SharedMemory() {}

  /**
   * A prefix that makes a command run in a daemon's group.
   *
   * @return empty if the daemon has no limit, and so no group of its own
   */
  static List<String> prefix(LocalCluster cluster, Daemon daemon) throws IOException {
    Path file = Path.of("/proc", Long.toString(daemon.pid().orElseThrow()), "cgroup");
    // The group of a daemon of a cluster is named after both.
    String name = "[^/:\n]*" + Pattern.quote(cluster.id() + "-" + daemon.name());
    Matcher own =
        Pattern.compile("[/:](" + name + ")$", Pattern.MULTILINE).matcher(Files.readString(file));
    if (!own.find()) {
      return List.of();
    }
    String directory = SystemCommand.run("find", GROUPS, "-type", "d", "-name", own.group(1));
    return List.of(
        "sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", directory.strip() + "/cgroup.procs");
  }
}
