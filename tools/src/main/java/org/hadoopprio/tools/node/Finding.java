// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import com.fasterxml.jackson.annotation.JsonProperty;

/** One line of a report. Immutable. */
public final class Finding {

  private final Severity severity;
  private final String check;
  private final String subject;
  private final String text;
  private final String remedy;

  /**
   * A result of a check.
   *
   * @param check the check: {@code kernel}, {@code scheduler} and so on
   * @param subject the volume, disk or daemon that was checked; empty for the node
   * @param remedy what fixes it, a command where possible; empty if nothing needs to be fixed
   */
  Finding(Severity severity, String check, String subject, String text, String remedy) {
    this.severity = severity;
    this.check = check;
    this.subject = subject;
    this.text = text;
    this.remedy = remedy;
  }

  public Severity severity() {
    return severity;
  }

  @JsonProperty("severity")
  String severityLabel() {
    return severity.label();
  }

  @JsonProperty
  public String check() {
    return check;
  }

  @JsonProperty
  public String subject() {
    return subject;
  }

  @JsonProperty
  public String text() {
    return text;
  }

  @JsonProperty
  public String remedy() {
    return remedy;
  }

  @Override
  public String toString() {
    String line =
        String.format(
            "%-8s %-13s %s%s",
            severity.label(), check, subject.isEmpty() ? "" : subject + ": ", text);
    return remedy.isEmpty()
        ? line
        : line + System.lineSeparator() + " ".repeat(23) + "-> " + remedy;
  }
}
