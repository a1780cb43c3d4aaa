// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.trace;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/** One place a request passed, with the priority seen there. Immutable. */
public final class Hop {

  private final String time;
  private final String name;
  private final String priority;
  private final String seenBy;
  private final String thread;
  private final String detail;

  Hop(String time, String name, String priority, String seenBy, String thread, String detail) {
    this.time = Objects.requireNonNull(time);
    this.name = Objects.requireNonNull(name);
    this.priority = Objects.requireNonNull(priority);
    this.seenBy = Objects.requireNonNull(seenBy);
    this.thread = Objects.requireNonNull(thread);
    this.detail = Objects.requireNonNull(detail);
  }

  /** The time in the daemon's log; empty for a hop that is a sum over time. */
  @JsonProperty
  public String time() {
    return time;
  }

  /** Which hop, see {@link org.hadoopprio.log.HopTrace#hop}. */
  @JsonProperty
  public String name() {
    return name;
  }

  /** The priority in text form; at the block layer as the kernel prints it. */
  @JsonProperty
  public String priority() {
    return priority;
  }

  /** The process or device. */
  @JsonProperty
  public String seenBy() {
    return seenBy;
  }

  /** The thread in that process; empty at the block layer. */
  @JsonProperty
  public String thread() {
    return thread;
  }

  /** What tells this hop from others of its name. */
  @JsonProperty
  public String detail() {
    return detail;
  }

  @Override
  public String toString() {
    return String.format("%-17s %-9s %-13s %s", name, priority, seenBy, detail);
  }
}
