package org.hadoopprio.doctor;

/** The kernel: whether it takes and orders by priorities. */
final class KernelCheck {

  private static final String CHECK = "kernel";

  private KernelCheck() {}

  static void run(Host host, KernelCalls calls, Report report) {
    String release = host.read("/proc/sys/kernel/osrelease").orElse("of an unknown release");
    boolean sysNice =
        KernelVersion.parse(release).map(version -> version.isAtLeast(5, 10)).orElse(true);
    if (sysNice) {
      report.ok(CHECK, "", "Linux " + release);
    } else {
      report.advice(
          CHECK,
          "",
          "Linux " + release + " is before 5.10: real-time needs CAP_SYS_ADMIN, not CAP_SYS_NICE",
          "a newer kernel");
    }
    String ioprio = calls.ioprioProblem();
    if (ioprio.isEmpty()) {
      report.ok("ioprio", "", "a thread's I/O priority can be set (ioprio_set)");
    } else {
      report.problem("ioprio", "", "cannot be set by this process: " + ioprio, JnaCheck.REMEDY);
    }
    String ioUring = calls.ioUringProblem();
    if (ioUring.isEmpty()) {
      report.ok("io_uring", "", "can be used");
    } else {
      report.advice(
          "io_uring",
          "",
          ioUring + "; reads with O_DIRECT and a priority of their own are not possible",
          "sysctl kernel.io_uring_disabled=0; in a container also a seccomp profile that allows"
              + " io_uring_setup");
    }
  }
}
