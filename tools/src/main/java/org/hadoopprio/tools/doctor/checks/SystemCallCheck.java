// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.Report;

/** Checks which system calls a seccomp filter or a security module refuses a daemon. */
final class SystemCallCheck {

  private static final String CHECK = "system-calls";

  private SystemCallCheck() {}

  /**
   * Checks a daemon.
   *
   * @param refused what the daemon's agent says: {@code NAME: WHY}
   * @param process empty if this host does not show it
   */
  static void run(
      JsonNode refused, Optional<DaemonProcess> process, String subject, Report report) {
    for (JsonNode line : refused) {
      String call = line.asText().replaceAll(":.*", "");
      report.problem(CHECK, subject, line.asText(), remedy(process, call));
    }
    if (refused.isEmpty() && process.map(p -> p.rights().isFiltered()).orElse(false)) {
      report.ok(
          CHECK,
          subject,
          "has a seccomp filter (Seccomp: 2 in its status), which has refused none so far");
    }
  }

  /**
   * How a call is allowed to a process.
   *
   * @param process empty if it is not known
   */
  static String remedy(Optional<DaemonProcess> process, String call) {
    if (!process.map(p -> p.rights().isFiltered()).orElse(true)) {
      return "it has no seccomp filter: ausearch -m avc -ts recent shows what SELinux or AppArmor"
          + " refuse";
    }
    return process
        .flatMap(DaemonProcess::unit)
        .map(
            unit ->
                ("mkdir -p /etc/systemd/system/UNIT.d && printf"
                        + " '[Service]\\nSystemCallFilter=CALL\\n' >"
                        + " /etc/systemd/system/UNIT.d/hadoop-prio-CALL.conf && systemctl"
                        + " daemon-reload && systemctl restart UNIT")
                    .replace("UNIT", unit)
                    .replace("CALL", call))
        .orElse(
            "in a container: allow "
                + call
                + " in its seccomp profile (docker run --security-opt seccomp=FILE; Kubernetes:"
                + " seccompProfile of type Localhost)");
  }
}
