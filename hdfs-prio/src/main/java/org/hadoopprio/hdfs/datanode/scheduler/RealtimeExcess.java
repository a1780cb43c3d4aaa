// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.Locale;

/** What happens to a real-time read above the share. */
public enum RealtimeExcess {
  /**
   * It waits, together with all other real-time reads of its volume, until the account is no longer
   * overdrawn.
   */
  PACE,
  /** It is done at be:0. */
  DEMOTE;

  /**
   * Reads the text form, {@code pace} or {@code demote}.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  public static RealtimeExcess parse(String text) {
    for (RealtimeExcess e : values()) {
      if (e.toString().equals(text)) {
        return e;
      }
    }
    throw new IllegalArgumentException("allowed: pace, demote");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
