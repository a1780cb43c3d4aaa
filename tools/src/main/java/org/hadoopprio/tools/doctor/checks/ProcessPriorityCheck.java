// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.util.Optional;
import org.hadoopprio.IoPriority;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.Report;

/**
 * Checks the I/O priority that a daemon was started with (ionice(1), IOSchedulingClass= of
 * systemd.exec(5)). All its threads inherit it, so it is what "no priority" means to the kernel.
 */
public final class ProcessPriorityCheck {

  private static final String CHECK = "ioprio";

  /** What the kernel does with a thread that has none, at nice 0 (block/ioprio.c). */
  private static final IoPriority AS_NONE = IoPriority.bestEffort(4);

  private ProcessPriorityCheck() {}

  public static void run(KernelCalls calls, DaemonProcess process, Report report) {
    String subject = process.toString();
    Optional<IoPriority> read = calls.ioprio(process.pid());
    if (read.isEmpty()) {
      report.skipped(
          CHECK, subject, "the I/O priority of the process cannot be read", JnaCheck.REMEDY);
      return;
    }
    IoPriority started = read.get();
    String remedy =
        process
            .unit()
            .map(
                unit ->
                    "remove IOSchedulingClass= and IOSchedulingPriority= from "
                        + unit
                        + " (systemctl edit --full "
                        + unit
                        + "), then restart it")
            .orElse("start it without ionice");
    if (started.isNone()) {
      report.ok(CHECK, subject, "was started without an I/O priority");
      return;
    }
    String text = "was started at " + started + ": ";
    switch (started.ioClass()) {
      case REALTIME:
        report.problem(
            CHECK,
            subject,
            text
                + "to the kernel its requests without a priority, writes included, are real-time, and"
                + " real-time reads are not before them",
            remedy);
        break;
      case IDLE:
        report.problem(
            CHECK,
            subject,
            text
                + "to the kernel its requests without a priority, writes included, are behind those of"
                + " all other processes and behind its own reads at be",
            remedy);
        break;
      default:
        if (started.equals(AS_NONE)) {
          report.ok(CHECK, subject, text + "the same as without an I/O priority");
        } else {
          report.advice(
              CHECK, subject, text + "that is what its requests without a priority have", remedy);
        }
        break;
    }
  }
}
