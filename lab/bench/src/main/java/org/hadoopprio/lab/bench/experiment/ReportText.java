// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** The findings of a run as Markdown: what a terminal or a page of documentation can show. */
public final class ReportText {

  private ReportText() {}

  /** The page of a run. */
  static String page(String title, String command, Findings findings) {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(title).append("\n\n");
    page.append("`").append(command).append("`\n\n");
    page.append("Result: ").append(Outcome.of(findings)).append(": ");
    page.append(findings.summary()).append("\n\n");
    findings.invalid().forEach(reason -> page.append("- invalid: ").append(reason).append("\n"));
    findings.notes().forEach(note -> page.append("- ").append(note).append("\n"));
    findings.tables().forEach(table -> page.append("\n").append(of(table)));
    ReportTable targets =
        new ReportTable("Targets", List.of("target", "required", "measured", "state"));
    for (Target target : findings.targets()) {
      targets.row(
          List.of(
              target.what(),
              target.bound() + " " + Numbers.text(target.required()),
              target.estimate().map(Estimate::toString).orElse(""),
              target.state() + (target.decisive() ? "" : " (reported only)")));
    }
    return page.append("\n").append(of(targets)).toString();
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
