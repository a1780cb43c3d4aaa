package org.hadoopprio.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;

/** One line of a report. Immutable. */
final class Finding {

  private final Severity severity;
  private final String check;
  private final String subject;
  private final String text;
  private final String remedy;

  /**
   * Something found.
   *
   * @param check what was looked at: {@code kernel}, {@code scheduler} and so on
   * @param subject of what: a volume, a disk, a daemon; empty for the node
   * @param remedy the command that mends it; empty where there is nothing to mend
   */
  Finding(Severity severity, String check, String subject, String text, String remedy) {
    this.severity = severity;
    this.check = check;
    this.subject = subject;
    this.text = text;
    this.remedy = remedy;
  }

  Severity severity() {
    return severity;
  }

  @JsonProperty("severity")
  String severityLabel() {
    return severity.label();
  }

  @JsonProperty
  String check() {
    return check;
  }

  @JsonProperty
  String subject() {
    return subject;
  }

  @JsonProperty
  String text() {
    return text;
  }

  @JsonProperty
  String remedy() {
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
