// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.concurrent.TimeUnit;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.disktime.Stream;

/**
 * A priority, {@code rt:0@100ms}, {@code be:7}, {@code idle} or {@code none}, as a DataNode with
 * its defaults hands it to the scheduler. Immutable.
 */
final class Stated {

  /** Of best-effort levels 0 to 7. */
  private static final int[] WEIGHTS = {8, 7, 6, 5, 4, 3, 2, 1};

  private final DiskClass diskClass;
  private final double weight;
  private final int targetMillis;

  private Stated(String text) {
    String[] parts = text.split("@", 2);
    String priority = parts[0].equals("none") ? "be:4" : parts[0];
    boolean bestEffort = priority.startsWith("be:");
    this.diskClass =
        bestEffort
            ? DiskClass.BEST_EFFORT
            : priority.equals("idle") ? DiskClass.IDLE : DiskClass.REALTIME;
    this.weight = bestEffort ? WEIGHTS[Integer.parseInt(priority.substring(3))] : 1;
    this.targetMillis = parts.length > 1 ? Integer.parseInt(parts[1].replace("ms", "")) : 0;
  }

  static StreamReader stream(DiskSimulation disk, String priority) {
    Stated stated = new Stated(priority);
    return disk.stream(stated.diskClass, stated.weight);
  }

  static ShortReader closed(DiskSimulation disk, String priority) {
    return open(disk, priority, 0);
  }

  static ShortReader open(DiskSimulation disk, String priority, double ratePerSecond) {
    Stated stated = new Stated(priority);
    return disk.open(stated.diskClass, stated.weight, ratePerSecond).within(stated.targetMillis);
  }

  /**
   * A claim of its own.
   *
   * @param stream null for a short read
   */
  static Claim claim(String priority, Stream stream) {
    Stated stated = new Stated(priority);
    return new Claim(stated.diskClass, stated.weight, stream);
  }

  /** The defaults but for the share of real-time. */
  static DiskSettings settings(double realtimeShare) {
    return new DiskSettings(
        realtimeShare,
        DiskSettings.DEFAULT.turnBytes(),
        DiskSettings.DEFAULT.turnNanos(),
        DiskSettings.DEFAULT.idleShare());
  }

  static long ms(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
