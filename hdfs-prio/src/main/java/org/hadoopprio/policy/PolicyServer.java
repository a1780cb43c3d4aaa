// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Locale;

/** The kinds of servers that heed a policy. */
public enum PolicyServer {
  DATANODE,
  REGIONSERVER;

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  public static PolicyServer parse(String text) {
    for (PolicyServer server : values()) {
      if (server.toString().equals(text)) {
        return server;
      }
    }
    throw new IllegalArgumentException("allowed: regionserver or datanode");
  }

  /** As a policy names it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
