// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio;

/**
 * The kernel's I/O scheduling classes.
 *
 * <p>The codes are those of {@code include/uapi/linux/ioprio.h} (IOPRIO_CLASS_*); the wire format
 * uses them too.
 */
public enum IoClass {
  /** No class stated; the block layer treats such a request as best-effort level 4. */
  NONE(0, "none", "none"),
  /** Served before all other classes; starves them unless it is limited. */
  REALTIME(1, "rt", "realtime"),
  /** The normal class. */
  BEST_EFFORT(2, "be", "best-effort"),
  /** Served when no other class has requests for the disk; has no levels. */
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

  /** The short name in text: {@code rt}, {@code be}, {@code idle}, {@code none}. */
  public String shortName() {
    return shortName;
  }

  /** The long name, also accepted in text: {@code realtime}, {@code best-effort}. */
  public String longName() {
    return longName;
  }

  /** Whether this class has levels 0 to 7. */
  public boolean hasLevels() {
    return this == REALTIME || this == BEST_EFFORT;
  }

  /** The class with that code, or null for a code that this version does not know. */
  public static IoClass fromCode(long code) {
    for (IoClass c : values()) {
      if (c.code == code) {
        return c;
      }
    }
    return null;
  }
}
