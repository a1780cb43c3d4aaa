// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;

/**
 * The sender of a request, as far as the server has authenticated it. Evaluated lazily: groups only
 * if a rule names a group. No method throws.
 */
public interface Requester {

  /** The short name of the authenticated user; null if the server has not authenticated one. */
  String user();

  /**
   * The user's groups according to the server's own group mapping; empty without a user, and while
   * they are not known.
   */
  Collection<String> groups();

  /** Whether {@link #groups} was asked for and is empty because they are not known yet. */
  default boolean isWithoutGroups() {
    return false;
  }

  /** The requested table, as {@code namespace:name} or {@code name}; null if there is none. */
  String table();

  /**
   * The column families that it stays within, of a batch those of all its operations; empty if it
   * may read or change any of the table, or if that is not known.
   */
  default Collection<String> families() {
    return List.of();
  }

  /** What it does; null for what no rule names. */
  default RequestKind kind() {
    return null;
  }

  /** The hour of the day by the server's time zone, 0 to 23. */
  default int hour() {
    return LocalTime.now(ZoneId.systemDefault()).getHour();
  }
}
