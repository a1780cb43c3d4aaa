package org.hadoopprio;

/**
 * The kernel's I/O scheduling classes.
 *
 * <p>The codes are those of {@code include/uapi/linux/ioprio.h} (IOPRIO_CLASS_*); they are also
 * what travels on the wire.
 */
public enum IoClass {
  /** No class stated; the block layer treats such a request as best-effort level 4. */
  NONE(0, "none", "none"),
  /** Served before all others; starves them if nothing bounds it. */
  REALTIME(1, "rt", "realtime"),
  /** The ordinary class. */
  BEST_EFFORT(2, "be", "best-effort"),
  /** Served when nothing else wants the disk; has no levels. */
  IDLE(3, "idle", "idle");

  private final int code;
  private final String shortName;
  private final String longName;

  IoClass(int code, String shortName, String longName) {
    this.code = code;
    this.shortName = shortName;
    this.longName = longName;
  }

  /** The kernel's IOPRIO_CLASS_* value, 0 to 3. */
  public int code() {
    return code;
  }

  /** The name people write: {@code rt}, {@code be}, {@code idle}, {@code none}. */
  public String shortName() {
    return shortName;
  }

  /** The long name, also accepted in text: {@code realtime}, {@code best-effort}. */
  public String longName() {
    return longName;
  }

  /** Whether levels 0 to 7 mean anything in this class. */
  public boolean hasLevels() {
    return this == REALTIME || this == BEST_EFFORT;
  }

  /** The class with that code, or null for a code this version does not know. */
  public static IoClass fromCode(long code) {
    for (IoClass c : values()) {
      if (c.code == code) {
        return c;
      }
    }
    return null;
  }
}
