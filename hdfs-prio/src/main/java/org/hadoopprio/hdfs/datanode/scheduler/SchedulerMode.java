package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.Locale;

/** What hadoop-prio does with the reads of a volume. */
public enum SchedulerMode {
  /** Nothing: stock reads without an I/O class. */
  OFF,
  /** Each read has its I/O class in the kernel; none waits in the DataNode. */
  ORDER,
  /** Besides, reads wait for their turn at the disk. */
  TURNS;

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  static SchedulerMode parse(String text) {
    for (SchedulerMode mode : values()) {
      if (mode.toString().equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("\"" + text + "\" is not off, order or turns");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
