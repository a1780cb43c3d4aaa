// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.top;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.metrics.VolumeStatus;

/**
 * Who used one volume's disk in an interval: the difference of two {@link VolumeStatus}. Immutable.
 */
final class VolumeUse {

  private final JsonNode status;
  private final long turns;
  private final long observedReads;
  private final long observedWaits;
  private final ClassUse realtime;
  private final ClassUse bestEffort;
  private final ClassUse idle;
  private final List<TenantUse> tenants;

  /** How many reads waited longer than the DataNode allows. */
  private final long slow;

  VolumeUse(JsonNode before, JsonNode after) {
    this.status = after;
    JsonNode queueBefore = before.path("queue");
    JsonNode queue = after.path("queue");
    this.turns = ClassUse.growth(queueBefore, queue, "turns");
    this.observedReads = ClassUse.growth(before.path("observed"), after.path("observed"), "reads");
    this.observedWaits = ClassUse.growth(before.path("observed"), after.path("observed"), "waits");
    this.realtime = new ClassUse(queueBefore.path("realtime"), queue.path("realtime"));
    this.bestEffort = new ClassUse(queueBefore.path("bestEffort"), queue.path("bestEffort"));
    this.idle = new ClassUse(queueBefore.path("idle"), queue.path("idle"));
    this.tenants = TenantUse.of(queueBefore, queue);
    this.slow = ClassUse.growth(queueBefore, queue, "slow");
  }

  /** The volume's directory. */
  @JsonProperty
  String volume() {
    return status.path("volume").asText();
  }

  /** The mode in force at the end of the interval. */
  @JsonProperty
  String mode() {
    return status.path("mode").asText();
  }

  /** The block device; empty if it is not known. */
  @JsonProperty
  String device() {
    return status.path("device").asText();
  }

  /** Real-time's share while others wait. */
  @JsonProperty
  double realtimeShare() {
    return status.path("realtimeShare").asDouble();
  }

  /** Why reads do not take turns as configured; empty if they do. */
  @JsonProperty
  String note() {
    if (mode().equals(VolumeMode.OBSERVE.toString())) {
      return observedWaits
          + " of "
          + observedReads
          + " reads began beside others that turns put first";
    }
    return isTurns() && status.path("queue").path("open").asBoolean()
        ? "nobody waits: no turn was given for too long"
        : status.path("reason").asText();
  }

  /** Reads served in mode observe. */
  @JsonProperty
  long observedReads() {
    return observedReads;
  }

  /** Those of them that mode turns would probably have made wait. */
  @JsonProperty
  long observedWaits() {
    return observedWaits;
  }

  /** Turns begun. */
  @JsonProperty
  long turns() {
    return turns;
  }

  @JsonProperty
  ClassUse realtime() {
    return realtime;
  }

  @JsonProperty
  ClassUse bestEffort() {
    return bestEffort;
  }

  @JsonProperty
  ClassUse idle() {
    return idle;
  }

  @JsonProperty
  List<TenantUse> tenants() {
    return tenants;
  }

  /** The reads that waited longer than the DataNode allows, in this interval. */
  @JsonProperty
  List<JsonNode> slowReads() {
    return slowReads(slow);
  }

  /** The last ones that the DataNode remembers, in their order. */
  List<JsonNode> slowReads(long most) {
    JsonNode all = status.path("queue").path("slowReads");
    List<JsonNode> last = new ArrayList<>();
    for (int i = (int) Math.max(0, all.size() - most); i < all.size(); i++) {
      last.add(all.get(i));
    }
    return last;
  }

  /** Real-time, best-effort, idle. */
  List<ClassUse> classes() {
    return List.of(realtime, bestEffort, idle);
  }

  /** Whether reads take turns; only then is anything known of who uses the disk. */
  boolean isTurns() {
    return mode().equals(VolumeMode.TURNS.toString());
  }
}
