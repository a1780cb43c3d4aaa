// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.io.IOException;
import java.util.List;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.disk.SystemCommand;

/**
 * Confines jobs to half of the processors. A job starts one JVM after another. On a machine of two
 * processors, these would delay the answers of the virtual disk, which cannot happen to the
 * controller of a real disk.
 */
final class JobProcessors {

  private JobProcessors() {}

  private static String list() {
    return "0-" + (Math.max(2, Runtime.getRuntime().availableProcessors()) / 2 - 1);
  }

  /** A prefix that makes a command run on these processors. */
  static List<String> prefix() {
    return List.of("taskset", "--cpu-list", list());
  }

  /** Confines a daemon, all threads of it, and the processes it will start. */
  static void confine(Daemon daemon) throws IOException {
    String pid = Long.toString(daemon.pid().orElseThrow());
    SystemCommand.run("taskset", "--all-tasks", "--cpu-list", "--pid", list(), pid);
  }
}
