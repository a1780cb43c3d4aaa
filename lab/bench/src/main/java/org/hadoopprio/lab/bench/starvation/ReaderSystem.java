package org.hadoopprio.lab.bench.starvation;

import org.hadoopprio.hdfs.datanode.scheduler.RealtimeExcess;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;

/**
 * A way to treat the readers of a disk: who reads, at which priority, and how the DataNode
 * schedules them. Immutable.
 */
final class ReaderSystem {

  /** The real-time client has the disk to itself. */
  static final ReaderSystem BOUND =
      new ReaderSystem("bound", "bound (no background)", SchedulerMode.OFF);

  /** No client states a priority. */
  static final ReaderSystem STOCK = new ReaderSystem("stock", "stock", SchedulerMode.OFF);

  /** The kernel and the drive learn the priorities; the DataNode itself limits nothing. */
  static final ReaderSystem ORDER =
      new ReaderSystem("order", "order (classes only)", SchedulerMode.ORDER);

  /** The DataNode's scheduler of disk time with its default share of real-time. */
  static final ReaderSystem TURNS = new ReaderSystem("turns", "turns", SchedulerMode.TURNS);

  /** Turns, but real-time reads above the share run at best-effort instead of waiting. */
  static final ReaderSystem TURNS_DEMOTED =
      new ReaderSystem(
          "turns-demote",
          "turns, demoted",
          SchedulerMode.TURNS,
          SchedulerKeys.SHARE.defaultValue(),
          RealtimeExcess.DEMOTE);

  private final String name;
  private final String label;
  private final SchedulerMode mode;
  private final double share;
  private final RealtimeExcess excess;

  private ReaderSystem(String name, String label, SchedulerMode mode) {
    this(name, label, mode, SchedulerKeys.SHARE.defaultValue(), RealtimeExcess.PACE);
  }

  private ReaderSystem(
      String name, String label, SchedulerMode mode, double share, RealtimeExcess excess) {
    this.name = name;
    this.label = label;
    this.mode = mode;
    this.share = share;
    this.excess = excess;
  }

  /** Turns with another share. */
  static ReaderSystem turns(double share) {
    return new ReaderSystem(
        "turns-share" + share,
        "turns, share " + share,
        SchedulerMode.TURNS,
        share,
        RealtimeExcess.PACE);
  }

  /** For people. */
  String label() {
    return label;
  }

  /** Whether streams read beside the real-time client. */
  boolean background() {
    return this != BOUND;
  }

  /** Whether the real-time client states its priority. */
  boolean prioritised() {
    return this != STOCK;
  }

  /** The mode of the DataNode's scheduler. */
  SchedulerMode mode() {
    return mode;
  }

  /** The real-time share of the disk's time, up to 1. */
  double share() {
    return share;
  }

  /** How real-time reads above the share are treated. */
  RealtimeExcess excess() {
    return excess;
  }

  /** The value of the factor. */
  @Override
  public String toString() {
    return name;
  }
}
