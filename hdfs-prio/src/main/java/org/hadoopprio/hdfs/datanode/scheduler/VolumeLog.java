// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.hadoopprio.log.RateLimitedLog;
import org.slf4j.LoggerFactory;

/** What is warned of at one disk: one that hangs must not hide another. Thread-safe. */
final class VolumeLog {

  /** What is warned of. One must not keep another out of the log. */
  enum Warning {
    CLOCK("The clock of volume %s is not watched: %s"),
    OPEN(
        "No read of volume %s waits for its turn in the next %d s, because none was given a turn in"
            + " the last %d s"),
    OVERDUE("A read of volume %s, of class %s, has waited for %d s and goes on"),
    PACED(
        "Real-time reads of volume %s have used more than their share of %s of its time while other"
            + " reads waited, and wait"),
    REFUSED("A turn of volume %s is not used, because %d threads are at its disk"),
    WRITES("Writes of volume %s take no turns at first");

    private final String format;

    Warning(String format) {
      this.format = format;
    }
  }

  private final String volume;
  private final Map<Warning, RateLimitedLog> logs = new EnumMap<>(Warning.class);

  /**
   * Has warned of nothing.
   *
   * @param volume its name; that of the first of several on the disk
   */
  VolumeLog(String volume) {
    this.volume = volume;
    for (Warning kind : Warning.values()) {
      logs.put(kind, new RateLimitedLog(LoggerFactory.getLogger(TurnWaits.class)));
    }
  }

  String volume() {
    return volume;
  }

  /** Writes a line, which may block. */
  void warn(Warning kind, Object... details) {
    logs.get(kind)
        .warn(
            () ->
                String.format(
                    kind.format, Stream.concat(Stream.of(volume), Stream.of(details)).toArray()));
  }
}
