package org.hadoopprio;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * An I/O priority: a class and, in the classes that have levels, a level from 0 (most urgent) to 7.
 *
 * <p>Immutable and interned: two equal priorities are the same object, so {@code ==} may be used.
 * The text form is the same everywhere: {@code rt}, {@code rt:0} to {@code rt:7}, {@code be},
 * {@code be:0} to {@code be:7}, {@code idle}, {@code none}, and the long class names {@code
 * realtime} and {@code best-effort}. A class without a level means level 4, as in ionice(1).
 */
public final class IoPriority implements Comparable<IoPriority> {

  /**
   * The level of a class that is written without one (IOPRIO_NORM in include/uapi/linux/ioprio.h).
   */
  public static final int DEFAULT_LEVEL = 4;

  /** The least urgent level. */
  public static final int LOWEST_LEVEL = 7;

  private static final IoPriority[] ALL = new IoPriority[2 + 2 * (LOWEST_LEVEL + 1)];

  /** Explicitly no priority. Stating it overrides a default of a source with lower precedence. */
  public static final IoPriority NONE;

  /** Class idle, which has no levels. */
  public static final IoPriority IDLE;

  static {
    int i = 0;
    ALL[i++] = NONE = new IoPriority(IoClass.NONE, 0);
    ALL[i++] = IDLE = new IoPriority(IoClass.IDLE, 0);
    for (int level = 0; level <= LOWEST_LEVEL; level++) {
      ALL[i++] = new IoPriority(IoClass.REALTIME, level);
      ALL[i++] = new IoPriority(IoClass.BEST_EFFORT, level);
    }
  }

  /**
   * The name of the attribute of HBase operations, requests and connections that carries a priority
   * as {@link #toBytes() text}.
   */
  public static final String ATTRIBUTE = "io.priority";

  /** The texts that {@link #parse} accepts, for messages. */
  public static final String ALLOWED =
      "rt, rt:0 to rt:7, be, be:0 to be:7, idle, none (also realtime, best-effort; 0 is the most"
          + " urgent level)";

  private final IoClass ioClass;
  private final int level;
  private final String text;
  private final byte[] bytes;

  private IoPriority(IoClass ioClass, int level) {
    this.ioClass = ioClass;
    this.level = level;
    this.text = ioClass.hasLevels() ? ioClass.shortName() + ":" + level : ioClass.shortName();
    this.bytes = text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The priority of a class and a level.
   *
   * @param level 0 to 7; must be 0 for a class without levels
   * @throws IllegalArgumentException if the level is out of range
   */
  public static IoPriority of(IoClass ioClass, int level) {
    IoPriority found = find(ioClass, level);
    if (found == null) {
      throw new IllegalArgumentException(
          "I/O priority level "
              + level
              + " of class "
              + ioClass.shortName()
              + " is not allowed: "
              + (ioClass.hasLevels() ? "0 to 7" : "this class has no levels, use 0"));
    }
    return found;
  }

  /** All priorities. */
  public static List<IoPriority> all() {
    return List.of(ALL);
  }

  /** Like {@link #of}, but returns null if there is no such priority. */
  public static IoPriority find(IoClass ioClass, long level) {
    for (IoPriority p : ALL) {
      if (p.ioClass == ioClass && p.level == level) {
        return p;
      }
    }
    return null;
  }

  /**
   * The priority for a value of ioprio_get(2), whose hint bits are ignored; {@link #NONE} for a
   * value that this version does not know.
   */
  public static IoPriority fromKernelValue(int value) {
    IoClass ioClass = IoClass.fromCode(value >> 13);
    IoPriority p = ioClass == null ? null : find(ioClass, ioClass.hasLevels() ? value & 7 : 0);
    return p == null ? NONE : p;
  }

  /** Real-time at a level from 0 (most urgent) to 7. */
  public static IoPriority realtime(int level) {
    return of(IoClass.REALTIME, level);
  }

  /** Best-effort at a level from 0 (most urgent) to 7. */
  public static IoPriority bestEffort(int level) {
    return of(IoClass.BEST_EFFORT, level);
  }

  /**
   * Parses the text form. Blanks, upper case and text after the level are not allowed.
   *
   * @throws IllegalArgumentException naming the text and what is allowed
   */
  public static IoPriority parse(String text) {
    IoPriority p = parseOrNull(text);
    if (p == null) {
      throw new IllegalArgumentException(
          "I/O priority \"" + printable(text) + "\" is not allowed; allowed: " + ALLOWED);
    }
    return p;
  }

  /**
   * Parses the text form in ASCII bytes, as in an HBase attribute.
   *
   * @throws IllegalArgumentException naming the text and what is allowed
   */
  public static IoPriority parse(byte[] text) {
    return parse(text == null ? null : new String(text, StandardCharsets.ISO_8859_1));
  }

  private static IoPriority parseOrNull(String text) {
    if (text == null) {
      return null;
    }
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    for (IoClass c : IoClass.values()) {
      if (c.shortName().equals(name) || c.longName().equals(name)) {
        if (colon < 0) {
          return find(c, c.hasLevels() ? DEFAULT_LEVEL : 0);
        }
        boolean oneDigit = text.length() == colon + 2;
        int level = oneDigit ? text.charAt(colon + 1) - '0' : -1;
        return c.hasLevels() ? find(c, level) : null;
      }
    }
    return null;
  }

  /** An untrusted text, made safe and short enough for a message or a log line. */
  private static String printable(String text) {
    if (text == null) {
      return "null";
    }
    String shown = text.length() <= 40 ? text : text.substring(0, 40) + "...";
    return shown.replaceAll("[^\\x20-\\x7e]", "?");
  }

  /** The class. */
  public IoClass ioClass() {
    return ioClass;
  }

  /** The level, 0 (most urgent) to 7; 0 in a class without levels. */
  public int level() {
    return level;
  }

  /** Whether this is {@link #NONE}. */
  public boolean isNone() {
    return ioClass == IoClass.NONE;
  }

  /**
   * The value for ioprio_set(2): {@code class << 13 | level} (include/uapi/linux/ioprio.h,
   * IOPRIO_PRIO_VALUE).
   */
  public int kernelValue() {
    return ioClass.code() << 13 | level;
  }

  /** The text form in ASCII bytes, as in an HBase attribute; a copy. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, bytes.length);
  }

  /** This priority, or {@code highest} if this one is more urgent. */
  public IoPriority atMost(IoPriority highest) {
    return compareTo(highest) < 0 ? highest : this;
  }

  /** Orders by urgency, most urgent first; {@link #NONE} ranks like best-effort 4. */
  @Override
  public int compareTo(IoPriority other) {
    return Integer.compare(rank(), other.rank());
  }

  private int rank() {
    return isNone() ? IoClass.BEST_EFFORT.code() << 13 | DEFAULT_LEVEL : kernelValue();
  }

  /** Equality is identity. NONE and be:4 rank alike but are not equal. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return kernelValue();
  }

  /** The short text form, which {@link #parse} accepts. */
  @Override
  public String toString() {
    return text;
  }
}
