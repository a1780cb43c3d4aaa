// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.disk.RequestQueue;

/**
 * A way to treat Gets and background work: what a user may pick.
 *
 * <p>HDFS's hedged reads ({@code dfs.client.hedged.read.threadpool.size}) are none of them. The
 * experiment has one replica on one disk, and a hedged read only goes to a DataNode that the first
 * read did not go to (DFSInputStream.hedgedFetchBlockByteRange, with the first one's DataNode among
 * the ignored ones). So none would be sent. On two disks, everything else would have to be measured
 * on two disks again.
 */
public enum MixedSystem {
  /** Nothing is done. */
  STOCK("stock", "stock", false, false),

  /** The background is slowed down at its source. */
  THROTTLE("stock, background throttled", "throttled", false, false),

  /** hadoop-prio's classes without its scheduler, as the host's I/O scheduler orders them. */
  ORDER_HOST(
      "hadoop-prio, classes only, drive without priority", "classes, plain drive", true, false),

  /** hadoop-prio's classes without its scheduler; the drive knows them too. */
  ORDER_FULL("hadoop-prio, classes only, drive with priority", "classes", true, true),

  /** hadoop-prio; the drive does not know the priorities. */
  HOST("hadoop-prio, drive without priority", "hadoop-prio, plain drive", true, false),

  /** The same, where Gets ask for an answer within 50 ms. */
  WITHIN_50MS(
      "hadoop-prio, Gets within 50 ms, drive without priority",
      "within 50 ms, plain drive",
      true,
      false),

  /** Within 100 ms. */
  WITHIN_100MS(
      "hadoop-prio, Gets within 100 ms, drive without priority",
      "within 100 ms, plain drive",
      true,
      false),

  /** Within 200 ms. */
  WITHIN_200MS(
      "hadoop-prio, Gets within 200 ms, drive without priority",
      "within 200 ms, plain drive",
      true,
      false),

  /** The same with Gets of four service levels, equally many of each ({@link #LEVELS}). */
  LEVELS(
      "hadoop-prio, four service levels, drive without priority",
      "levels, plain drive",
      true,
      false),

  /** hadoop-prio; the drive knows them too. */
  FULL("hadoop-prio, drive with priority", "hadoop-prio", true, true),

  /** Stock without any background: as good as it can get. */
  BOUND("no background", "no background", false, false),

  /** hadoop-prio's turns without any Gets: as much as streams can get. */
  NO_GETS("hadoop-prio, no Gets", "no Gets", true, false),

  /** {@link #STOCK} with short circuit. */
  STOCK_LOCAL("stock, short circuit", "stock, local disk", false, false),

  /** {@link #STOCK} with the I/O scheduler that is made for fairness among processes. */
  STOCK_BFQ("stock, BFQ", "stock, BFQ", false, false),

  /**
   * {@link #STOCK_LOCAL} with priorities of whole processes: the RegionServer real-time, the
   * background idle. Without short circuit the DataNode reads for both, and they cannot act.
   */
  IONICE_LOCAL("stock, short circuit, ionice", "ionice, local disk", false, false),

  /** The same with BFQ. */
  IONICE_LOCAL_BFQ("stock, short circuit, ionice, BFQ", "ionice, local disk, BFQ", false, false),

  /** {@link #HOST} with short circuit. */
  HOST_LOCAL(
      "hadoop-prio, short circuit, drive without priority",
      "hadoop-prio, local disk, plain drive",
      true,
      false),

  /** {@link #FULL} with short circuit. */
  FULL_LOCAL(
      "hadoop-prio, short circuit, drive with priority", "hadoop-prio, local disk", true, true),

  /** {@link #BOUND} with short circuit. */
  BOUND_LOCAL("no background, short circuit", "no background, local disk", false, false);

  /** The priorities of {@link #LEVELS}. */
  static final List<IoPriority> SERVICE_LEVELS =
      List.of(
          IoPriority.realtime(0).within(50),
          IoPriority.realtime(0).within(100),
          IoPriority.realtime(0).within(200),
          IoPriority.bestEffort(0).within(500));

  /** Those in which the RegionServer and the background's clients read the disk themselves. */
  private static final Set<MixedSystem> LOCAL =
      Collections.unmodifiableSet(
          EnumSet.of(
              STOCK_LOCAL, IONICE_LOCAL, IONICE_LOCAL_BFQ, HOST_LOCAL, FULL_LOCAL, BOUND_LOCAL));

  private static final Set<MixedSystem> BY_DEFAULT =
      Collections.unmodifiableSet(EnumSet.of(STOCK, THROTTLE, HOST, FULL, BOUND, NO_GETS));

  private final String label;
  private final String shortLabel;
  private final boolean prioritised;
  private final boolean drivePriority;

  MixedSystem(String label, String shortLabel, boolean prioritised, boolean drivePriority) {
    this.label = label;
    this.shortLabel = shortLabel;
    this.prioritised = prioritised;
    this.drivePriority = drivePriority;
  }

  /**
   * Those that are measured where none are named; the others would make the run half as long again.
   */
  public static Set<MixedSystem> byDefault() {
    return BY_DEFAULT;
  }

  /** For people. */
  String label() {
    return label;
  }

  /** The same for a figure. */
  String shortLabel() {
    return shortLabel;
  }

  /** Whether the daemons have the agent, and Gets and background state their priorities. */
  boolean prioritised() {
    return prioritised;
  }

  /** What Gets state, one for each client; an empty one states nothing. */
  List<Optional<IoPriority>> getPriorities() {
    if (!hasGets()) {
      return List.of();
    }
    IoPriority first = MixedExperiment.GET_PRIORITY;
    if (this == LEVELS) {
      return SERVICE_LEVELS.stream().map(Optional::of).collect(Collectors.toList());
    }
    if (withTarget().contains(this)) {
      return List.of(Optional.of(first.within(targetMillis())));
    }
    return List.of(prioritised ? Optional.of(first) : Optional.empty());
  }

  /** Those whose Gets all have the same latency target. */
  static Set<MixedSystem> withTarget() {
    return EnumSet.of(WITHIN_50MS, WITHIN_100MS, WITHIN_200MS);
  }

  /** The latency target of all Gets, in ms; only of {@link #withTarget}. */
  int targetMillis() {
    return switch (this) {
      case WITHIN_50MS -> 50;
      case WITHIN_100MS -> 100;
      case WITHIN_200MS -> 200;
      default -> throw new IllegalStateException(this + " has no latency target");
    };
  }

  /** Whether short circuit is on, for the RegionServer and the background's clients. */
  boolean local() {
    return LOCAL.contains(this);
  }

  /** Whether there is no background: what is measured is what the others are compared with. */
  boolean alone() {
    return this == BOUND || this == BOUND_LOCAL;
  }

  /** Whether there are Gets. */
  boolean hasGets() {
    return this != NO_GETS;
  }

  /** What this one's Gets are compared with. */
  MixedSystem withoutBackground() {
    return local() ? BOUND_LOCAL : BOUND;
  }

  /** Whether the classes of processes are set by ionice(1). */
  boolean byIoNice() {
    return this == IONICE_LOCAL || this == IONICE_LOCAL_BFQ;
  }

  /** The kernel's I/O scheduler. */
  String scheduler() {
    return this == STOCK_BFQ || this == IONICE_LOCAL_BFQ ? "bfq" : RequestQueue.MQ_DEADLINE;
  }

  /** The virtual disk's mode. */
  String driveMode() {
    return drivePriority ? "prio" : "ncq";
  }
}
