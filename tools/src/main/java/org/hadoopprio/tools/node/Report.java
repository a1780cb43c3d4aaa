// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The findings on a node. Not safe for use by several threads. */
public final class Report {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final List<Finding> findings = new ArrayList<>();

  public void ok(String check, String subject, String text) {
    findings.add(new Finding(Severity.OK, check, subject, text, ""));
  }

  /**
   * A check that could not be made.
   *
   * @param remedy what it needs
   */
  public void skipped(String check, String subject, String text, String remedy) {
    findings.add(new Finding(Severity.SKIPPED, check, subject, text, remedy));
  }

  public void advice(String check, String subject, String text, String remedy) {
    findings.add(new Finding(Severity.ADVICE, check, subject, text, remedy));
  }

  public void problem(String check, String subject, String text, String remedy) {
    findings.add(new Finding(Severity.PROBLEM, check, subject, text, remedy));
  }

  /** All findings, in the order of the checks. */
  public List<Finding> findings() {
    return Collections.unmodifiableList(findings);
  }

  private long count(Severity severity) {
    return findings.stream().filter(f -> f.severity() == severity).count();
  }

  public boolean hasProblems() {
    return count(Severity.PROBLEM) > 0;
  }

  /** The report for people: a line per finding with its remedy below, and the counts at the end. */
  public String toText() {
    return findings.stream()
            .map(Finding::toString)
            .collect(Collectors.joining(System.lineSeparator()))
        + System.lineSeparator()
        + String.format(
            "%d ok, %d advice, %d problems, %d skipped",
            count(Severity.OK),
            count(Severity.ADVICE),
            count(Severity.PROBLEM),
            count(Severity.SKIPPED));
  }

  /** The report for programs: an object with the counts and the list {@code findings}. */
  public String toJson() throws JsonProcessingException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("ok", count(Severity.OK));
    all.put("advice", count(Severity.ADVICE));
    all.put("problems", count(Severity.PROBLEM));
    all.put("skipped", count(Severity.SKIPPED));
    all.put("findings", findings);
    return JSON.writeValueAsString(all);
  }
}
