// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hadoopprio.policy.PolicyHash;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.Report;

/** Checks whether the policy in force in a daemon is that of its file. */
final class PolicyDrift {

  private static final String CHECK = "policy";
  private static final String RELOAD = "reload it (docs/policy.md, \"Change a policy\")";

  private PolicyDrift() {}

  /**
   * Checks a daemon's policies.
   *
   * @param bean the agent's MXBean; that of an older agent has none
   * @param process empty if this host does not show it; its files are then not looked at
   */
  static void run(JsonNode bean, Optional<DaemonProcess> process, String subject, Report report) {
    for (JsonNode policy : bean.path("Policies")) {
      String file = policy.path("file").asText();
      if (file.isEmpty()) {
        continue;
      }
      String hash = policy.path("hash").asText();
      String text =
          file
              + ": version "
              + policy.path("version").asText()
              + ", hash "
              + hash
              + ", "
              + policy.path("rules").size()
              + " rules in force";
      Optional<String> onDisk = process.flatMap(p -> hashOf(p.path(file)));
      if (!policy.path("usable").asBoolean()) {
        report.problem(
            CHECK,
            subject,
            file + " could not be used; nobody is granted more than normal",
            "correct the file, see the daemon's log; then " + RELOAD);
      } else if (onDisk.isPresent() && !onDisk.get().equals(hash)) {
        report.advice(
            CHECK,
            subject,
            text + "; the file has changed since, its hash is " + onDisk.get(),
            RELOAD);
      } else {
        report.ok(CHECK, subject, text);
      }
    }
  }

  private static Optional<String> hashOf(Path file) {
    try {
      return Optional.of(PolicyHash.of(Files.readAllBytes(file)));
    } catch (IOException e) {
      // Who lacks the right to read it still sees what is in force.
      return Optional.empty();
    }
  }
}
