// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.lab.progress.Pauses;

/**
 * The processes of one cluster, found by a mark that every one of them inherits. YARN's containers
 * are no descendants of a daemon any more once that is gone; the mark finds them all the same.
 */
final class ClusterProcesses {

  /** The environment variable that holds the mark. */
  static final String VARIABLE = "HPRIO_CLUSTER_ID";

  /** The system property that holds the mark, for people who look at a list of processes. */
  static final String PROPERTY = "hprio.cluster.id";

  private static final long POLL_MS = 100;

  /** How long a process may take for an exec; far more than any does. */
  private static final long EXEC_NS = 500_000_000;

  private static final long EXEC_POLL_NS = 1_000_000;

  /** PF_EXITING and PF_KTHREAD of Linux's include/linux/sched.h. */
  private static final long WITHOUT_PROGRAM = 0x4 | 0x200000;

  private final String id;

  ClusterProcesses(String id) {
    this.id = id;
  }

  /** All processes of the cluster but this one and those it descends from. */
  List<ProcessHandle> all() {
    Set<Long> own =
        Stream.iterate(ProcessHandle.current(), p -> p != null, p -> p.parent().orElse(null))
            .map(ProcessHandle::pid)
            .collect(Collectors.toSet());
    return ProcessHandle.allProcesses()
        .filter(process -> !own.contains(process.pid()) && isOurs(process.pid()))
        .collect(Collectors.toList());
  }

  /** Whether a process lives and carries the mark. */
  boolean isOurs(long pid) {
    try {
      String environment = read(pid, "environ");
      // In the midst of an exec a process has no environment, or the reader gets a part of the old
      // one: it is looked at again.
      for (long until = System.nanoTime() + EXEC_NS;
          !environment.endsWith("\0") && System.nanoTime() - until < 0 && hasProgram(pid);
          environment = read(pid, "environ")) {
        LockSupport.parkNanos(EXEC_POLL_NS);
      }
      return ('\0' + environment).contains('\0' + VARIABLE + '=' + id + '\0');
    } catch (IOException e) {
      // Gone, or another user's.
      return false;
    }
  }

  /** Whether a process is neither about to end, nor a zombie, nor the kernel's; proc(5). */
  private static boolean hasProgram(long pid) throws IOException {
    String stat = read(pid, "stat");
    // The name, in parentheses, may hold anything; the state is the first field behind it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
    return !fields[0].equals("Z") && (Long.parseLong(fields[6]) & WITHOUT_PROGRAM) == 0;
  }

  private static String read(long pid, String file) throws IOException {
    return new String(
        Files.readAllBytes(Path.of("/proc", Long.toString(pid), file)),
        StandardCharsets.ISO_8859_1);
  }

  /** Asks processes to end, kills those that do not end in time, and returns when none is left. */
  void stop(Collection<ProcessHandle> processes, long timeoutMs) throws IOException {
    processes.forEach(ProcessHandle::destroy);
    if (!await(processes, timeoutMs)) {
      kill(processes);
    }
  }

  /** Kills processes and returns when none is left. */
  void kill(Collection<ProcessHandle> processes) throws IOException {
    processes.forEach(ProcessHandle::destroyForcibly);
    if (!await(processes, 10_000)) {
      throw new ClusterException(
          "killed processes that are still there: "
              + processes.stream().filter(p -> isOurs(p.pid())).collect(Collectors.toList()));
    }
  }

  private boolean await(Collection<ProcessHandle> processes, long timeoutMs) throws IOException {
    long until = System.nanoTime() + timeoutMs * 1_000_000;
    // A zombie has an empty environment: it counts as ended although nobody has waited for it.
    while (processes.stream().anyMatch(process -> isOurs(process.pid()))) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      Pauses.sleep(POLL_MS);
    }
    return true;
  }
}
