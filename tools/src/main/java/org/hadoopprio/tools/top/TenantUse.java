// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.top;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.metrics.TenantStatus;

/**
 * What one tenant had of one disk in an interval, and who had it while its requests waited: the
 * difference of two {@link TenantStatus}. Immutable.
 */
final class TenantUse {

  private final String tenant;
  private final long diskMillis;
  private final long realtimeDiskMillis;
  private final long waits;
  private final long waitMillis;
  private final Map<String, Long> blamedMillis = new LinkedHashMap<>();

  private TenantUse(JsonNode before, JsonNode after) {
    this.tenant = after.path("tenant").asText();
    this.diskMillis = ClassUse.growth(before, after, "diskMillis");
    this.realtimeDiskMillis = ClassUse.growth(before, after, "realtimeDiskMillis");
    this.waits = ClassUse.growth(before, after, "waits");
    this.waitMillis = ClassUse.growth(before, after, "waitMillis");
    for (JsonNode blame : after.path("blamed")) {
      JsonNode then = named(before.path("blamed"), blame.path("tenant").asText());
      long millis = ClassUse.growth(then, blame, "millis");
      if (millis > 0) {
        blamedMillis.put(blame.path("tenant").asText(), millis);
      }
    }
  }

  /** The tenants of a queue, in its order. */
  static List<TenantUse> of(JsonNode before, JsonNode after) {
    List<TenantUse> all = new ArrayList<>();
    for (JsonNode tenant : after.path("tenants")) {
      JsonNode then = named(before.path("tenants"), tenant.path("tenant").asText());
      all.add(new TenantUse(then, tenant));
    }
    return all;
  }

  private static JsonNode named(JsonNode all, String tenant) {
    for (JsonNode each : all) {
      if (each.path("tenant").asText().equals(tenant)) {
        return each;
      }
    }
    return MissingNode.getInstance();
  }

  /** Its name in the policy. */
  @JsonProperty
  String tenant() {
    return tenant;
  }

  /** The disk time used, in milliseconds. */
  @JsonProperty
  long diskMillis() {
    return diskMillis;
  }

  /** That of real-time reads. */
  @JsonProperty
  long realtimeDiskMillis() {
    return realtimeDiskMillis;
  }

  /** Waits that ended in the interval. */
  @JsonProperty
  long waits() {
    return waits;
  }

  /** Their total length in milliseconds, parts before the interval included. */
  @JsonProperty
  long waitMillis() {
    return waitMillis;
  }

  /** Who had the disk during these waits, in milliseconds. */
  @JsonProperty
  Map<String, Long> blamedMillis() {
    return blamedMillis;
  }
}
