// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A part of the experiment, which can be measured without the others. */
public enum StarvationPart {
  /** Real-time readers beside streams. */
  READERS,
  /** Streams alone. */
  STREAMS,
  /** Streams of one priority against streams of another. */
  LEVELS,
  /** Short reads at lower priorities beside streams: how long each waits. */
  SHORT,
  /** A real-time reader beside files that are written. */
  WRITERS;

  private static final Set<StarvationPart> QUICK =
      Collections.unmodifiableSet(EnumSet.of(READERS, STREAMS, LEVELS));

  /**
   * Those that are measured where none are named.
   *
   * @param quick whether the run is a short one
   */
  public static Set<StarvationPart> byDefault(boolean quick) {
    return quick ? QUICK : Collections.unmodifiableSet(EnumSet.allOf(StarvationPart.class));
  }
}
