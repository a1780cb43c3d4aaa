// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A finished run.
 *
 * @param json what {@code result.json} holds
 * @param report the page for people, in Markdown
 */
public record RunResult(String name, Findings findings, JsonNode json, Path report) {
  public Outcome outcome() {
    return Outcome.of(findings);
  }

  /** The line that ends the command's output: how it ended, why, and the main result. */
  public String summaryLine() {
    String line = "bench " + name + ": " + outcome();
    if (outcome() == Outcome.FAILED) {
      List<Target> there =
          findings.targets().stream()
              .filter(target -> target.measured().isPresent())
              .collect(Collectors.toList());
      long missed = there.stream().filter(Target::missed).count();
      line += ", " + missed + " of " + there.size() + " measured targets missed";
    }
    return findings.summary().isEmpty() ? line : line + ": " + findings.summary();
  }
}
