package org.hadoopprio.lab.bench.starvation;

/**
 * A way to treat the readers of a disk: who reads, at which priority, and how the DataNode
 * schedules them. Immutable.
 */
final class ReaderSystem {

  /** The real-time client has the disk to itself. */
  static final ReaderSystem BOUND =
      new ReaderSystem("bound", "bound (no background)", SchedulerKeyNames.OFF);

  /** No client states a priority. */
  static final ReaderSystem STOCK = new ReaderSystem("stock", "stock", SchedulerKeyNames.OFF);

  /** The kernel and the drive learn the priorities; the DataNode itself limits nothing. */
  static final ReaderSystem ORDER =
      new ReaderSystem("order", "order (classes only)", SchedulerKeyNames.ORDER);

  /** The DataNode's scheduler of disk time with its default share of real-time. */
  static final ReaderSystem TURNS = new ReaderSystem("turns", "turns", SchedulerKeyNames.TURNS);

  /** Turns, but real-time reads above the share run at best-effort instead of waiting. */
  static final ReaderSystem TURNS_DEMOTED =
      new ReaderSystem(
          "turns-demote",
          "turns, demoted",
          SchedulerKeyNames.TURNS,
          SchedulerKeyNames.DEFAULT_SHARE,
          SchedulerKeyNames.DEMOTE);

  private final String name;
  private final String label;
  private final String mode;
  private final double share;
  private final String excess;

  private ReaderSystem(String name, String label, String mode) {
    this(name, label, mode, SchedulerKeyNames.DEFAULT_SHARE, SchedulerKeyNames.PACE);
  }

  private ReaderSystem(String name, String label, String mode, double share, String excess) {
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
        SchedulerKeyNames.TURNS,
        share,
        SchedulerKeyNames.PACE);
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
  String mode() {
    return mode;
  }

  /** The real-time share of the disk's time, up to 1. */
  double share() {
    return share;
  }

  /** How real-time reads above the share are treated. */
  String excess() {
    return excess;
  }

  /** The value of the factor. */
  @Override
  public String toString() {
    return name;
  }
}
