package org.hadoopprio.hdfs.datanode.engine;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How real-time reads of a volume are done. */
public enum Engine {
  /** The best of the others that the volume's device can do. */
  AUTO,
  /** Stock HDFS, on a thread with the read's priority. */
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
            + "\" is no engine; allowed: "
            + Arrays.stream(values()).map(Engine::toString).collect(Collectors.joining(", ")));
  }

  /** The text form. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
