package org.hadoopprio.lab.bench.starvation;

import java.time.Duration;
import java.util.Locale;
import org.hadoopprio.hdfs.datanode.scheduler.RealtimeExcess;

/**
 * A way to treat the readers of a disk: who reads, at which priority, and what keeps the background
 * alive. Immutable.
 */
final class ReaderSystem {

  /** Real-time may have all of the disk's time. */
  private static final double NO_LIMIT = 1.0;

  /** The kernel's value (block/mq-deadline.c, prio_aging_expire). */
  private static final Duration SCHEDULER_AGING = Duration.ofSeconds(10);

  /** The drive preset's value (prio_max_age_ns). */
  private static final Duration DRIVE_AGING = Duration.ofSeconds(3);

  private final String name;
  private final String label;
  private final boolean background;
  private final boolean prioritised;
  private double share = NO_LIMIT;
  private RealtimeExcess excess = RealtimeExcess.PACE;
  private Duration schedulerAging = SCHEDULER_AGING;
  private Duration driveAging = DRIVE_AGING;

  private ReaderSystem(String name, String label, boolean background, boolean prioritised) {
    this.name = name;
    this.label = label;
    this.background = background;
    this.prioritised = prioritised;
  }

  /** The real-time client has the disk to itself. */
  static ReaderSystem bound() {
    return new ReaderSystem("bound", "bound (no background)", false, true);
  }

  /** No client states a priority. */
  static ReaderSystem stock() {
    return new ReaderSystem("stock", "stock", true, false);
  }

  /** Real-time always goes first. */
  static ReaderSystem strict() {
    return new ReaderSystem("strict", "strict (share 1.0)", true, true);
  }

  /** Real-time goes first up to a share of the disk's time. */
  static ReaderSystem share(double share) {
    ReaderSystem system = new ReaderSystem("share" + share, "share " + share, true, true);
    system.share = share;
    return system;
  }

  /** The same, but real-time reads above the share run at best-effort instead of waiting. */
  static ReaderSystem demote(double share) {
    ReaderSystem system =
        new ReaderSystem("demote" + share, "share " + share + ", demoted", true, true);
    system.share = share;
    system.excess = RealtimeExcess.DEMOTE;
    return system;
  }

  /** Strict, but the block layer's scheduler serves a request that has waited for this long. */
  static ReaderSystem schedulerAging(Duration age) {
    ReaderSystem system =
        new ReaderSystem(
            "aging" + age.toMillis() + "ms",
            "strict, scheduler ages in " + seconds(age),
            true,
            true);
    system.schedulerAging = age;
    return system;
  }

  /** Strict, but the drive serves a request that has waited in its queue for this long. */
  static ReaderSystem driveAging(Duration age) {
    ReaderSystem system =
        new ReaderSystem(
            "drive-aging" + age.toMillis() + "ms",
            "strict, drive ages in " + seconds(age),
            true,
            true);
    system.driveAging = age;
    return system;
  }

  private static String seconds(Duration age) {
    return String.format(Locale.ROOT, "%.1f s", age.toMillis() / 1e3);
  }

  /** The value of the factor. */
  String name() {
    return name;
  }

  /** For people. */
  String label() {
    return label;
  }

  /** Whether the background reads. */
  boolean background() {
    return background;
  }

  /** Whether the real-time client states its priority. */
  boolean prioritised() {
    return prioritised;
  }

  /** The real-time share of the disk's time, up to 1. */
  double share() {
    return share;
  }

  /** How real-time reads above the share are treated. */
  RealtimeExcess excess() {
    return excess;
  }

  Duration schedulerAging() {
    return schedulerAging;
  }

  Duration driveAging() {
    return driveAging;
  }

  /** Systems are equal that have the same name. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ReaderSystem && ((ReaderSystem) other).name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
