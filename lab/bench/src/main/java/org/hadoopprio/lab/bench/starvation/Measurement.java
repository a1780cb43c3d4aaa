// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A combination of what is varied.
 *
 * @param scheduler the block layer's I/O scheduler
 */
record Measurement(
    ClientLoad load, BackgroundStreams background, String scheduler, ReaderSystem system) {
  /** The scheduler of all measurements but those that compare priorities. */
  static final String MQ_DEADLINE = "mq-deadline";

  /** Real-time reads beside the streams that the system has. */
  static Measurement realtime(ClientLoad load, ReaderSystem system) {
    BackgroundStreams background =
        system.background() ? BackgroundStreams.STREAMS16 : BackgroundStreams.NONE;
    return new Measurement(load, background, MQ_DEADLINE, system);
  }

  /** Streams without a priority. */
  static Measurement streams(BackgroundStreams streams, ReaderSystem system) {
    return levels(streams, MQ_DEADLINE, system);
  }

  /** Streams at two priorities. */
  static Measurement levels(BackgroundStreams groups, String scheduler, ReaderSystem system) {
    return new Measurement(ClientLoad.NONE, groups, scheduler, system);
  }

  /** One random reader beside files that are written. */
  static Measurement writers(BackgroundStreams writers, ReaderSystem system) {
    ClientLoad reader = ClientLoad.of(ClientLoad.Kind.RANDOM, 1);
    return new Measurement(reader, writers, MQ_DEADLINE, system);
  }

  /** What tells it from all others. */
  Map<String, String> factors() {
    Map<String, String> factors = new LinkedHashMap<>();
    factors.put("load", load.toString());
    factors.put("background", background.toString());
    factors.put("scheduler", scheduler);
    factors.put("system", system.toString());
    return factors;
  }

  /** Valid as a file name. */
  @Override
  public String toString() {
    return String.join("_", factors().values());
  }
}
