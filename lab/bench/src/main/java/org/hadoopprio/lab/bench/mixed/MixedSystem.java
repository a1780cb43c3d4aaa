package org.hadoopprio.lab.bench.mixed;

/** A way to treat Gets and background work: what a user may pick. */
public enum MixedSystem {
  /** Nothing is done. */
  STOCK("stock", "stock", false, false),

  /** The background is slowed down at its source. */
  THROTTLE("stock, background throttled", "throttled", false, false),

  /** Priorities of whole processes: the RegionServer real-time, the background's clients idle. */
  IONICE("stock, ionice on processes", "ionice", false, false),

  /** hadoop-prio; the host's scheduler alone knows the priorities. */
  HOST("hadoop-prio, drive without priority", "hadoop-prio, plain drive", true, false),

  /** hadoop-prio; the drive knows them too. */
  FULL("hadoop-prio, drive with priority", "hadoop-prio", true, true),

  /** Stock without any background: as good as it can get. */
  BOUND("no background", "no background", false, false);

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

  /** The virtual disk's mode. */
  String driveMode() {
    return drivePriority ? "prio" : "ncq";
  }
}
