// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A finished run. Immutable. */
public final class RunResult {

  private final String name;
  private final Findings findings;
  private final JsonNode json;
  private final Path report;

  RunResult(String name, Findings findings, JsonNode json, Path report) {
    this.name = name;
    this.findings = findings;
    this.json = json;
    this.report = report;
  }

  public Findings findings() {
    return findings;
  }

  public Outcome outcome() {
    return Outcome.of(findings);
  }

  /** What {@code result.json} holds. */
  public JsonNode json() {
    return json;
  }

  /** The HTML page. */
  public Path report() {
    return report;
  }

  /** The line that ends the command's output: how it ended, why, and the main result. */
  public String summaryLine() {
    String line = "bench " + name + ": " + outcome();
    if (outcome() == Outcome.FAILED) {
      List<Target> decisive =
          findings.targets().stream()
              .filter(target -> target.decisive() && target.measured().isPresent())
              .collect(Collectors.toList());
      long missed = decisive.stream().filter(Target::missed).count();
      line += ", " + missed + " of " + decisive.size() + " measured targets missed";
    }
    return findings.summary().isEmpty() ? line : line + ": " + findings.summary();
  }
}
