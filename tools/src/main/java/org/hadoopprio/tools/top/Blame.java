// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.top;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hadoopprio.metrics.BlameStatus;

/** For how long somebody had a disk while others waited: a {@link BlameStatus}. Immutable. */
final class Blame {

  private final String tenant;
  private final String ioClass;
  private final String role;
  private final long millis;

  private Blame(JsonNode status, long millis) {
    this.tenant = status.path("tenant").asText();
    this.ioClass = status.path("ioClass").asText();
    this.role = status.path("role").asText();
    this.millis = millis;
  }

  /** What has come to each since then; who had most first, and without those who had nothing. */
  static List<Blame> growth(JsonNode before, JsonNode after) {
    List<Blame> all = new ArrayList<>();
    for (JsonNode each : after) {
      long millis =
          ClassUse.growth(same(before, each, "tenant", "ioClass", "role"), each, "millis");
      if (millis > 0) {
        all.add(new Blame(each, millis));
      }
    }
    all.sort(Comparator.comparingLong(Blame::millis).reversed());
    return all;
  }

  /** That of some which has the same attributes of these names. */
  static JsonNode same(JsonNode all, JsonNode as, String... names) {
    for (JsonNode each : all) {
      boolean isSame = true;
      for (String name : names) {
        isSame &= each.path(name).equals(as.path(name));
      }
      if (isSame) {
        return each;
      }
    }
    return MissingNode.getInstance();
  }

  /** A name of the policy. */
  @JsonProperty
  String tenant() {
    return tenant;
  }

  /** Its requests of the class {@code rt}, {@code be} or {@code idle}. */
  @JsonProperty
  String ioClass() {
    return ioClass;
  }

  /** What these were for; empty if the DataNode is of a version that does not say it. */
  @JsonProperty
  String role() {
    return role;
  }

  @JsonProperty
  long millis() {
    return millis;
  }

  @Override
  public String toString() {
    return (tenant + " " + ioClass + " " + role).stripTrailing();
  }
}
