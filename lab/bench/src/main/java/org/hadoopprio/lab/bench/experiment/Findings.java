// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from an experiment's results. Not safe for use by several threads. */
public final class Findings {

  private static final int MAX_TARGETS_TOLD = 6;

  private final List<Target> targets = new ArrayList<>();
  private final List<String> invalid = new ArrayList<>();
  private final List<Figure> figures = new ArrayList<>();
  private final List<ReportTable> tables = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private String summary = "";

  /** Adds a target. */
  public Findings add(Target target) {
    targets.add(target);
    return this;
  }

  /** Adds a reason why the results are invalid: a validity gate that does not hold. */
  public Findings invalid(String reason) {
    invalid.add(reason);
    return this;
  }

  /** Adds the reasons for which a cell's validity gate does not hold, if it has one. */
  public Findings requireGate(CellResult result) {
    return Gates.hold(result.measured())
        ? this
        : invalid(result.cell() + ": " + Gates.reasons(result.measured()));
  }

  /** Adds a figure; each becomes a PNG file. */
  public Findings add(Figure figure) {
    figures.add(figure);
    return this;
  }

  /** Adds a table. */
  public Findings add(ReportTable table) {
    tables.add(table);
    return this;
  }

  /** Adds a sentence for readers: a limit, or what is not reproduced. */
  public Findings note(String sentence) {
    notes.add(sentence);
    return this;
  }

  /** Sets the main result, in one line. */
  public Findings summary(String line) {
    this.summary = line;
    return this;
  }

  /** Makes the targets the main result; how many of them are met if they are many. */
  public Findings summarizeTargets() {
    if (targets.size() > MAX_TARGETS_TOLD) {
      long met = targets.stream().filter(Target::met).count();
      long measured = targets.stream().filter(target -> target.measured().isPresent()).count();
      return summary(met + " of " + measured + " measured targets met");
    }
    return summary(
        targets.stream()
            .map(t -> t.what() + ": " + t.estimate().map(Estimate::toString).orElse("not measured"))
            .collect(Collectors.joining("; ")));
  }

  public List<Target> targets() {
    return Collections.unmodifiableList(targets);
  }

  /** Why the results are invalid; empty if they are valid. */
  public List<String> invalid() {
    return Collections.unmodifiableList(invalid);
  }

  public List<Figure> figures() {
    return Collections.unmodifiableList(figures);
  }

  public List<ReportTable> tables() {
    return Collections.unmodifiableList(tables);
  }

  public List<String> notes() {
    return Collections.unmodifiableList(notes);
  }

  public String summary() {
    return summary;
  }

  /** Whether the results are valid and no target is missed; some may be undetermined. */
  public boolean passed() {
    return invalid.isEmpty() && targets.stream().noneMatch(Target::missed);
  }
}
