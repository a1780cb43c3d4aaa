package org.hadoopprio.bench.mixed;

import java.io.IOException;
import java.util.List;
import org.hadoopprio.bench.cluster.Daemon;
import org.hadoopprio.bench.disk.SystemCommand;

/**
 * The processors that jobs have: half of them. A job is a JVM start after another, and on a machine
 * of two processors those would keep the virtual disk from answering in time, as no real disk's
 * controller is kept.
 */
final class JobProcessors {

  private JobProcessors() {}

  private static String list() {
    return "0-" + (Math.max(2, Runtime.getRuntime().availableProcessors()) / 2 - 1);
  }

  /** Put before a command, it runs on them. */
  static List<String> prefix() {
    return List.of("taskset", "--cpu-list", list());
  }

  /** Confines a daemon, all threads of it, and the processes it will start. */
  static void confine(Daemon daemon) throws IOException {
    String pid = Long.toString(daemon.pid().orElseThrow());
    SystemCommand.run("taskset", "--all-tasks", "--cpu-list", "--pid", list(), pid);
  }
}
