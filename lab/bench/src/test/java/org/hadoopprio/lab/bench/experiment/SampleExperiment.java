// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** An experiment that measures nothing: six cells whose value is their depth. */
class SampleExperiment implements Experiment {

  final Map<String, String> settings = new LinkedHashMap<>(Map.of("seconds", "5"));
  final List<String> measured = new ArrayList<>();
  double required = 1;
  String failing = "";
  String invalid = "";

  /** How many measurements from now on have a gate that does not hold. */
  int gatesToFail;

  int prepared;
  int closed;

  @Override
  public String name() {
    return "sample";
  }

  @Override
  public String title() {
    return "A sample";
  }

  @Override
  public Map<String, String> settings() {
    return settings;
  }

  @Override
  public List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= 2; repetition++) {
      for (String depth : List.of("1", "2", "4")) {
        cells.add(new Cell(Map.of("depth", depth), repetition, 0.01));
      }
    }
    return cells;
  }

  @Override
  public void prepare(StepLog log) throws IOException {
    prepared++;
  }

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    if (cell.id().equals(failing)) {
      throw new IOException("the disk is gone");
    }
    measured.add(cell.id());
    ObjectNode result = new ObjectMapper().createObjectNode();
    result.put("value", Double.parseDouble(cell.factor("depth")));
    result.putArray("commands").add("measure --depth " + cell.factor("depth"));
    boolean valid = gatesToFail-- <= 0;
    result.putObject("gate").put("missing", cell.repetition()).put("valid", valid);
    return result;
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    List<Double> values =
        results.stream().map(result -> result.number("/value")).collect(Collectors.toList());
    Findings findings = new Findings();
    findings.add(
        Target.of(
            "greatest",
            Target.Bound.AT_LEAST,
            required,
            values.stream().max(Double::compare).map(max -> Estimate.of(List.of(max))),
            "a paper"));
    findings.add(Target.of("other", Target.Bound.AT_MOST, 3, Optional.empty(), "another paper"));
    findings.add(
        Figure.lines("values", "Values", "number", "value")
            .series(
                "all", values, values, values.stream().map(v -> 0.1).collect(Collectors.toList()))
            .caption("All values."));
    findings.add(new ReportTable("Values", List.of("value")).row(List.of("4 and more")));
    findings.note("Nothing is measured.").summary(values.size() + " values");
    if (!invalid.isEmpty()) {
      findings.invalid(invalid);
    }
    return findings;
  }

  @Override
  public void close() {
    closed++;
  }
}
