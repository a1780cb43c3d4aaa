// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.top;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.metrics.TenantStatus;

/**
 * What one tenant had of one disk in an interval, and who had it while its requests waited: the
 * difference of two {@link TenantStatus}. Immutable.
 */
final class TenantUse extends ClassUse {

  private final String tenant;
  private final long realtimeDiskMillis;
  private final long slow;
  private final List<Blame> blamed;

  private TenantUse(JsonNode before, JsonNode after) {
    super(before, after);
    this.tenant = after.path("tenant").asText();
    this.realtimeDiskMillis = growth(before, after, "realtimeDiskMillis");
    this.slow = growth(before, after, "slow");
    this.blamed = Blame.growth(before.path("blamed"), after.path("blamed"));
  }

  /** The tenants of a queue, in its order. */
  static List<TenantUse> of(JsonNode before, JsonNode after) {
    List<TenantUse> all = new ArrayList<>();
    for (JsonNode tenant : after.path("tenants")) {
      all.add(new TenantUse(Blame.same(before.path("tenants"), tenant, "tenant"), tenant));
    }
    return all;
  }

  /** Its name in the policy. */
  @JsonProperty
  String tenant() {
    return tenant;
  }

  /** The disk time of its real-time reads, in milliseconds. */
  @JsonProperty
  long realtimeDiskMillis() {
    return realtimeDiskMillis;
  }

  /** Its reads that waited longer than the DataNode allows. */
  @JsonProperty
  long slow() {
    return slow;
  }

  /** Who had the disk during the waits, in milliseconds; who had most first. */
  @JsonProperty
  List<Blame> blamed() {
    return blamed;
  }
}
