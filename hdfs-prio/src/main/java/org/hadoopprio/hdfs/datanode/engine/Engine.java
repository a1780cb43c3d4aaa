// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A way to do the real-time reads of a volume. */
public enum Engine {
  /** The best of the other engines that the volume's device supports. */
  AUTO,
  /** Stock HDFS code on a thread with the read's priority. */
  THREAD,
  /** O_DIRECT through io_uring, each request with the read's priority. */
  DIRECT,
  /** Commands to the drive with NCQ priority, past the kernel's I/O scheduler. */
  NCQ;

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  static Engine parse(String text) {
    for (Engine engine : values()) {
      if (engine.toString().equals(text.toLowerCase(Locale.ROOT))) {
        return engine;
      }
    }
    throw new IllegalArgumentException(
        "\""
            + text
            + "\" is not an engine; allowed: "
            + Arrays.stream(values()).map(Engine::toString).collect(Collectors.joining(", ")));
  }

  /** The text form. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
