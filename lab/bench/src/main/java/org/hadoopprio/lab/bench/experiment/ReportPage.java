// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.mustachejava.DefaultMustacheFactory;
import com.github.mustachejava.Mustache;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** The HTML page of a run: one file that needs no other. */
final class ReportPage {

  private static final String TEMPLATE = "org/hadoopprio/lab/bench/experiment/report.mustache";

  private ReportPage() {}

  /**
   * Makes the page.
   *
   * @param result what {@link ResultJson} made of the run
   * @param images the content of a PNG file for each figure's id
   */
  static String html(JsonNode result, Findings findings, Map<String, byte[]> images)
      throws IOException {
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("title", result.path("title").asText());
    page.put("name", result.path("experiment").asText());
    page.put("outcome", Outcome.of(findings).toString());
    page.put("outcomeClass", result.path("outcome").asText());
    page.put("summary", findings.summary());
    page.put("command", result.path("command").asText());
    page.put("seed", result.path("seed").asText());
    page.put("measuredCells", result.path("cells").size());
    page.put("plannedCells", result.path("cellsPlanned").asInt());
    page.put("invalid", findings.invalid());
    page.put("notes", findings.notes());
    page.put("targets", targets(findings));
    page.put("hasTargets", !findings.targets().isEmpty());
    page.put("gates", gates(result.path("gate")));
    page.put("hasGates", !result.path("gate").isEmpty());
    page.put("figures", figures(findings, images));
    page.put("tables", tables(findings));
    page.put("commands", commands(result.path("cells")));
    page.put("settings", pairs(result.path("settings")));
    page.put("starts", starts(result.path("starts")));
    Mustache template = new DefaultMustacheFactory().compile(TEMPLATE);
    StringWriter html = new StringWriter();
    template.execute(html, page).flush();
    return html.toString();
  }

  private static List<Map<String, Object>> targets(Findings findings) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Target target : findings.targets()) {
      String state = target.state().toString();
      rows.add(
          Map.of(
              "what",
              target.what(),
              "required",
              target.bound() + " " + Numbers.text(target.required()),
              "measured",
              target.estimate().map(Estimate::toString).orElse(""),
              "state",
              state,
              "stateClass",
              state.replace(' ', '-'),
              "decisive",
              target.decisive() ? "" : "reported only",
              "source",
              target.source()));
    }
    return rows;
  }

  private static List<Map<String, Object>> gates(JsonNode gate) {
    List<Map<String, Object>> rows = new ArrayList<>();
    gate.fields()
        .forEachRemaining(
            field ->
                rows.add(
                    Map.of(
                        "name",
                        field.getKey(),
                        "min",
                        Numbers.text(field.getValue().path("min").asDouble()),
                        "max",
                        Numbers.text(field.getValue().path("max").asDouble()),
                        "cells",
                        field.getValue().path("cells").asInt())));
    return rows;
  }

  private static List<Map<String, Object>> figures(Findings findings, Map<String, byte[]> images) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Figure figure : findings.figures()) {
      all.add(
          Map.of(
              "title",
              figure.title(),
              "caption",
              figure.caption(),
              "png",
              Base64.getEncoder().encodeToString(images.get(figure.id()))));
    }
    return all;
  }

  private static List<Map<String, Object>> tables(Findings findings) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (ReportTable table : findings.tables()) {
      all.add(Map.of("title", table.title(), "columns", table.columns(), "rows", table.rows()));
    }
    return all;
  }

  private static List<Map<String, Object>> commands(JsonNode cells) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (JsonNode cell : cells) {
      List<String> lines = new ArrayList<>();
      cell.at("/measured/commands").forEach(line -> lines.add(line.asText()));
      if (!lines.isEmpty()) {
        all.add(Map.of("cell", cell.path("cell").asText(), "lines", lines));
      }
    }
    return all;
  }

  private static List<Map<String, Object>> starts(JsonNode starts) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (JsonNode start : starts) {
      all.add(Map.of("time", start.path("time").asText(), "machine", pairs(start.path("machine"))));
    }
    return all;
  }

  private static List<Map<String, Object>> pairs(JsonNode object) {
    List<Map<String, Object>> all = new ArrayList<>();
    object
        .fields()
        .forEachRemaining(
            field -> all.add(Map.of("name", field.getKey(), "value", field.getValue().asText())));
    return all;
  }
}
