// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The validity gate in what a cell has measured, see {@link Experiment#run}. */
final class Gates {

  static final String FIELD = "gate";

  /** The gates of measurements of the cell that were discarded. */
  static final String DISCARDED = "discarded_gates";

  private Gates() {}

  /** Whether the gate holds; true where a cell has none. */
  static boolean hold(JsonNode measured) {
    JsonNode gate = measured.path(FIELD);
    return gate.isMissingNode() || gate.path("valid").asBoolean();
  }

  /** Why it does not hold, for people. */
  static String reasons(JsonNode measured) {
    List<String> reasons = new ArrayList<>();
    measured.path(FIELD).path("reasons").forEach(reason -> reasons.add(reason.asText()));
    return String.join("; ", reasons);
  }
}
