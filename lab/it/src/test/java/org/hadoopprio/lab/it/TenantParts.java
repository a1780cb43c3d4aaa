// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The parts of a disk's time that two tenants have for a while, as the DataNode counts. */
final class TenantParts {

  private static final long EVERY_MILLIS = 500;
  private static final double WINDOW_NANOS = 10e9;

  private final List<Long> at = new ArrayList<>();
  private final List<double[]> diskMillis = new ArrayList<>();

  /**
   * Looks at them for some time.
   *
   * @param tenants what the DataNode knows of both
   */
  static TenantParts measure(Callable<JsonNode[]> tenants, long millis) throws Exception {
    TenantParts parts = new TenantParts();
    parts.look(tenants.call());
    while (parts.nanos(0, parts.at.size() - 1) < millis * 1e6) {
      Thread.sleep(EVERY_MILLIS);
      parts.look(tenants.call());
    }
    return parts;
  }

  private void look(JsonNode[] tenants) {
    at.add(System.nanoTime());
    diskMillis.add(
        new double[] {
          tenants[0].path("diskMillis").asDouble(), tenants[1].path("diskMillis").asDouble()
        });
  }

  private double nanos(int from, int to) {
    return at.get(to) - at.get(from);
  }

  private double part(int tenant, int from, int to) {
    return (diskMillis.get(to)[tenant] - diskMillis.get(from)[tenant]) * 1e6 / nanos(from, to);
  }

  /** The part of the first tenant, 0, or the second. */
  double of(int tenant) {
    return part(tenant, 0, at.size() - 1);
  }

  /** The most that it had in any 10 s, or in all the time if that is shorter. */
  double most(int tenant) {
    double most = 0;
    for (int from = 0; from < at.size(); from++) {
      int to = from;
      while (to < at.size() - 1 && nanos(from, to) < WINDOW_NANOS) {
        to++;
      }
      if (from == 0 || nanos(from, to) >= WINDOW_NANOS) {
        most = Math.max(most, part(tenant, from, to));
      }
    }
    return most;
  }

  @Override
  public String toString() {
    return String.format(
        "%.3f, %.3f of the disk's time; most in 10 s %.3f, %.3f", of(0), of(1), most(0), most(1));
  }
}
