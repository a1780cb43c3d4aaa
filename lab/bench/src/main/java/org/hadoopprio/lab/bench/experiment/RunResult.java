package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;

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

  /** The line that ends the command's output. */
  public String summaryLine() {
    return "bench " + name + ": " + outcome() + ": " + findings.summary();
  }
}
