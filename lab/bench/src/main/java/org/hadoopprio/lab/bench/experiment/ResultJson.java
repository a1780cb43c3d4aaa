// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** All results of a run, for programs; the report is made from it too. */
final class ResultJson {

  private ResultJson() {}

  static ObjectNode of(
      Experiment experiment, Findings findings, JsonNode run, ArrayNode cells, String command) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("experiment", experiment.name());
    root.put("title", experiment.title());
    root.put("outcome", Outcome.of(findings).toString().toLowerCase(Locale.ROOT));
    root.put("summary", findings.summary());
    root.put("command", command);
    ArrayNode invalid = root.putArray("invalid");
    findings.invalid().forEach(invalid::add);
    ArrayNode targets = root.putArray("targets");
    findings.targets().forEach(target -> targets.add(json(target)));
    ArrayNode notes = root.putArray("notes");
    findings.notes().forEach(notes::add);
    root.set("settings", run.path("settings"));
    root.set("seed", run.path("seed"));
    root.set("starts", run.path("starts"));
    root.put("cellsPlanned", experiment.plan().size());
    root.set("gate", GateRange.of(cells));
    root.set("cells", cells);
    return root;
  }

  private static ObjectNode json(Target target) {
    ObjectNode node = new ObjectMapper().createObjectNode();
    node.put("what", target.what());
    node.put("bound", target.bound().toString());
    node.put("required", target.required());
    node.putNull("measured");
    target
        .estimate()
        .ifPresent(
            estimate -> {
              node.put("measured", estimate.mean());
              if (estimate.hasInterval()) {
                node.put("low", estimate.low()).put("high", estimate.high());
              }
            });
    node.put("state", target.state().toString());
    node.put("source", target.source());
    return node;
  }
}
