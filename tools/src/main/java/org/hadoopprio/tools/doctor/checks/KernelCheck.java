// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.util.Optional;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Report;

/** Checks whether the kernel accepts priorities and io_uring. */
public final class KernelCheck {

  private static final String CHECK = "kernel";

  private KernelCheck() {}

  public static void run(Host host, KernelCalls calls, Report report) {
    String release = host.read("/proc/sys/kernel/osrelease").orElse("of unknown release");
    boolean sysNice =
        KernelVersion.parse(release).map(version -> version.isAtLeast(5, 10)).orElse(true);
    if (sysNice) {
      report.ok(CHECK, "", "Linux " + release);
    } else {
      report.advice(
          CHECK,
          "",
          "Linux "
              + release
              + " is older than 5.10: real-time needs CAP_SYS_ADMIN instead of CAP_SYS_NICE",
          "use Linux 5.10 or later");
    }
    String ioprio = calls.ioprioProblem();
    if (ioprio.isEmpty()) {
      report.ok("ioprio", "", "ioprio_set can set a thread's I/O priority");
    } else {
      report.problem(
          "ioprio",
          "",
          "this process cannot set a thread's I/O priority: " + ioprio,
          ioprio.startsWith("ioprio_set: refused")
              ? SystemCallCheck.remedy(Optional.empty(), "ioprio_set")
              : JnaCheck.REMEDY);
    }
    String ioUring = calls.ioUringProblem();
    if (ioUring.isEmpty()) {
      report.ok("io_uring", "", "this process can use io_uring");
    } else {
      report.advice(
          "io_uring",
          "",
          "the engines direct and auto cannot use O_DIRECT reads: " + ioUring,
          "sysctl kernel.io_uring_disabled=0; in a container also use a seccomp profile that"
              + " allows io_uring_setup");
    }
  }
}
