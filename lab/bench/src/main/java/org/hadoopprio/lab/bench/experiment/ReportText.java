// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;
import org.hadoopprio.lab.disk.ReadAhead;

/** The findings of a run as Markdown: what a terminal or a page of documentation can show. */
public final class ReportText {

  private ReportText() {}

  /**
   * The page of a run: how it ended, what follows, how to repeat it, and whether it is valid.
   *
   * @param result what {@link ResultJson} made of the run
   */
  static String page(JsonNode result, Findings findings) {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(result.path("title").asText()).append("\n\n");
    page.append("`").append(result.path("command").asText()).append("`\n\n");
    page.append("Result: ").append(Outcome.of(findings)).append(": ");
    page.append(findings.summary()).append("\n\n");
    page.append(
        String.format(
            "%d of %d cells measured, in an order by seed %s\n\n",
            result.path("cells").size(),
            result.path("cellsPlanned").asInt(),
            result.path("seed").asText()));
    JsonNode readAhead = result.at("/settings/" + ReadAhead.SETTING);
    if (!readAhead.isMissingNode()) {
      page.append("Read-ahead of the disk: ").append(readAhead.asText()).append(" KiB\n\n");
    }
    findings.invalid().forEach(reason -> page.append("- invalid: ").append(reason).append("\n"));
    findings.notes().forEach(note -> page.append("- ").append(note).append("\n"));
    findings.tables().forEach(table -> add(page, table));
    add(page, targets(findings));
    for (Figure figure : findings.figures()) {
      page.append(
          String.format("\n![%s](%s.png)\n\n%s\n", figure.title(), figure.id(), figure.caption()));
    }
    add(page, gates(result.path("gate")));
    add(page, pairs("Settings", result.path("settings")));
    for (JsonNode start : result.path("starts")) {
      String title = "Machine and versions, measured since " + start.path("time").asText();
      add(page, pairs(title, start.path("machine")));
    }
    addCommands(page, result.path("cells"));
    return page.toString();
  }

  private static void add(StringBuilder page, ReportTable table) {
    if (!table.rows().isEmpty()) {
      page.append("\n").append(of(table));
    }
  }

  private static ReportTable targets(Findings findings) {
    ReportTable table =
        new ReportTable("Targets", List.of("target", "required", "measured", "state", "source"));
    for (Target target : findings.targets()) {
      table.row(
          List.of(
              target.what(),
              target.bound() + " " + Numbers.text(target.required()),
              target.estimate().map(Estimate::toString).orElse(""),
              target.state().toString(),
              target.source()));
    }
    return table;
  }

  /** The ranges of the validity gate's values over all cells. */
  private static ReportTable gates(JsonNode gate) {
    ReportTable table =
        new ReportTable("Validity gate", List.of("value", "minimum", "maximum", "cells"));
    gate.fields()
        .forEachRemaining(
            range ->
                table.row(
                    List.of(
                        range.getKey(),
                        Numbers.text(range.getValue().path("min").asDouble()),
                        Numbers.text(range.getValue().path("max").asDouble()),
                        range.getValue().path("cells").asText())));
    return table;
  }

  private static ReportTable pairs(String title, JsonNode object) {
    ReportTable table = new ReportTable(title, List.of("name", "value"));
    object
        .fields()
        .forEachRemaining(field -> table.row(List.of(field.getKey(), field.getValue().asText())));
    return table;
  }

  private static void addCommands(StringBuilder page, JsonNode cells) {
    StringBuilder commands = new StringBuilder();
    for (JsonNode cell : cells) {
      JsonNode lines = cell.at("/measured/commands");
      if (!lines.isEmpty()) {
        commands.append("\n").append(cell.path("cell").asText()).append(":\n\n```\n");
        lines.forEach(line -> commands.append(line.asText()).append("\n"));
        commands.append("```\n");
      }
    }
    if (commands.length() > 0) {
      page.append("\n## The commands of each cell\n").append(commands);
    }
  }

  /** A table with its title, its columns aligned. */
  public static String of(ReportTable table) {
    List<Integer> widths =
        IntStream.range(0, table.columns().size())
            .mapToObj(
                i ->
                    Math.max(
                        table.columns().get(i).length(),
                        table.rows().stream().mapToInt(row -> row.get(i).length()).max().orElse(1)))
            .collect(Collectors.toList());
    StringBuilder text = new StringBuilder("## ").append(table.title()).append("\n\n");
    text.append(line(table.columns(), widths));
    text.append(line(widths.stream().map("-"::repeat).collect(Collectors.toList()), widths));
    table.rows().forEach(row -> text.append(line(row, widths)));
    return text.toString();
  }

  private static String line(List<String> values, List<Integer> widths) {
    return IntStream.range(0, widths.size())
            .mapToObj(i -> String.format(Locale.ROOT, "%-" + widths.get(i) + "s", values.get(i)))
            .collect(Collectors.joining(" | ", "| ", " |"))
        + "\n";
  }
}
