// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Locale;

/** What a request does, as the attribute {@code operation} of a rule names it. */
public enum RequestKind {
  /** A Get, or an exists, of one row. */
  GET,
  /** A batch, whatever it holds. */
  MULTI,
  /** A call of a scan. */
  SCAN,
  /** A change of one row. */
  MUTATION,
  /** A DataNode reads. */
  READ,
  /** A DataNode writes. */
  WRITE;

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  public static RequestKind parse(String text) {
    for (RequestKind kind : values()) {
      if (kind.toString().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "allowed: get, multi, scan, mutation (RegionServer), read or write (DataNode)");
  }

  /** As a policy names it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
