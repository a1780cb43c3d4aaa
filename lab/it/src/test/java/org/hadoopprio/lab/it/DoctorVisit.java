// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.hadoopprio.tools.doctor.DoctorCommand;
import picocli.CommandLine;

/** What {@code hprio doctor} says, and how it ends. Immutable. */
final class DoctorVisit {

  private final int exit;
  private final String output;
  private final JsonNode json;

  /** Runs the doctor in this process. */
  DoctorVisit(String... arguments) throws IOException {
    StringWriter out = new StringWriter();
    CommandLine command = new CommandLine(new DoctorCommand()).setOut(new PrintWriter(out));
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    this.exit = command.execute(all.toArray(new String[0]));
    this.output = out.toString();
    this.json = new ObjectMapper().readTree(output);
  }

  int exit() {
    return exit;
  }

  String output() {
    return output;
  }

  JsonNode json() {
    return json;
  }

  /** {@code severity check} of all findings of some checks, sorted. */
  List<String> findings(String... checks) {
    return StreamSupport.stream(json.path("findings").spliterator(), false)
        .filter(f -> List.of(checks).contains(f.path("check").asText()))
        .map(f -> f.path("severity").asText() + " " + f.path("check").asText())
        .sorted()
        .collect(Collectors.toList());
  }

  /** The remedy of the first finding of a check. */
  String remedy(String check) {
    for (JsonNode finding : json.path("findings")) {
      if (finding.path("check").asText().equals(check)) {
        return finding.path("remedy").asText();
      }
    }
    throw new AssertionError("no " + check + " in " + output);
  }
}
