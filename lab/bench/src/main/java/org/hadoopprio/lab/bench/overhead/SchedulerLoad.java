package org.hadoopprio.lab.bench.overhead;

/** The loads that modes of the scheduler are compared in. Each has the same streams. */
enum SchedulerLoad {
  /** All of it is in the page cache; the volume counts as one hard disk. */
  CACHED("scheduler-cached", "cached", true, true, false),

  /** None of it is; the volume is what the DataNode finds, a device that does not rotate. */
  DEVICE("scheduler-device", "not cached, device that does not rotate", false, false, false),

  /** The same device, but the DataNode is told to let one stream at a time read. */
  AS_DISK("scheduler-as-disk", "not cached, same device, one stream at a time", true, false, false),

  /** Beside reads that are held open; all is in the page cache. */
  HELD("scheduler-held", "cached, beside held reads", true, true, true);

  private final String label;
  private final String words;
  private final boolean asDisk;
  private final boolean cached;
  private final boolean besideHeldReads;

  SchedulerLoad(
      String label, String words, boolean asDisk, boolean cached, boolean besideHeldReads) {
    this.label = label;
    this.words = words;
    this.asDisk = asDisk;
    this.cached = cached;
    this.besideHeldReads = besideHeldReads;
  }

  static SchedulerLoad of(String label) {
    for (SchedulerLoad load : values()) {
      if (load.label.equals(label)) {
        return load;
      }
    }
    throw new IllegalArgumentException("no such load: " + label);
  }

  /** Its name in results. */
  String label() {
    return label;
  }

  /** Its name for people. */
  String words() {
    return words;
  }

  /**
   * Whether the volume counts as one hard disk, so that one stream at a time has a turn; else the
   * DataNode decides by the device.
   */
  boolean asDisk() {
    return asDisk;
  }

  /** Whether the page cache holds all of it before. */
  boolean cached() {
    return cached;
  }

  /** Whether a client holds many other reads open meanwhile. */
  boolean besideHeldReads() {
    return besideHeldReads;
  }
}
