// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An I/O priority: a class and, in the classes that have levels, a level from 0 (most urgent) to 7,
 * and if wanted a latency target.
 *
 * <p>The text form is the same everywhere: {@code rt}, {@code rt:0} to {@code rt:7}, {@code be},
 * {@code be:0} to {@code be:7}, {@code idle}, {@code none}, and the long class names {@code
 * realtime} and {@code best-effort}. A class without a level means level 4, as in ionice(1). A
 * target follows an {@code @}: {@code rt:0@50ms}, {@code be@2s}.
 *
 * <p>With a target, a request says how long its answer may take, in milliseconds from {@value
 * #LEAST_TARGET} to {@value #GREATEST_TARGET}. Until it has to be served others may go first, so a
 * real-time request with a target asks for less than one without, and a best-effort request for
 * more. Class idle and {@code none} have no targets.
 *
 * <p>Immutable. Equality is by value.
 */
public final class IoPriority implements Comparable<IoPriority> {

  /** The least latency target, in milliseconds. */
  public static final int LEAST_TARGET = 1;

  /** The greatest latency target, in milliseconds. */
  public static final int GREATEST_TARGET = 60_000;

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
          + " urgent level); rt and be with @ and a latency target of 1ms to 60s, as in rt:0@50ms";

  /** No leading zero, so that a text is not longer than its value needs. */
  private static final Pattern TARGET = Pattern.compile("([1-9][0-9]{0,4})(ms|s)");

  /** Of an untrusted text in a message, in characters. No priority has as many. */
  private static final int LONGEST_SHOWN = 40;

  private final IoClass ioClass;
  private final int level;

  /** In milliseconds; 0 for none. */
  private final int target;

  /** The same without a target; this object if it has none. */
  private final IoPriority withoutTarget;

  private IoPriority(IoClass ioClass, int level) {
    this.ioClass = ioClass;
    this.level = level;
    this.target = 0;
    this.withoutTarget = this;
  }

  private IoPriority(IoPriority withoutTarget, int target) {
    this.ioClass = withoutTarget.ioClass;
    this.level = withoutTarget.level;
    this.target = target;
    this.withoutTarget = withoutTarget;
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

  /** All priorities without a target. */
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

  /** Whether a latency target is one that {@link #within} accepts, in milliseconds. */
  public static boolean isTarget(long millis) {
    return millis >= LEAST_TARGET && millis <= GREATEST_TARGET;
  }

  /**
   * The same priority with a latency target; a target that it has is replaced.
   *
   * @param millis {@value #LEAST_TARGET} to {@value #GREATEST_TARGET}
   * @throws IllegalArgumentException if the target is out of range, or the class has none
   */
  public IoPriority within(int millis) {
    if (!isTarget(millis) || !ioClass.hasLevels()) {
      throw new IllegalArgumentException(
          "latency target "
              + millis
              + " ms of class "
              + ioClass.shortName()
              + " is not allowed: "
              + (ioClass.hasLevels()
                  ? LEAST_TARGET + " to " + GREATEST_TARGET
                  : "this class has no targets"));
    }
    return new IoPriority(withoutTarget, millis);
  }

  /**
   * The same priority with what is left of its target; at least {@value #LEAST_TARGET} ms, so that
   * a request that is late is as urgent as one with a target can be.
   *
   * @param usedMillis the time that has passed; a negative value counts as 0
   */
  public IoPriority after(long usedMillis) {
    if (target == 0 || usedMillis <= 0) {
      return this;
    }
    return new IoPriority(withoutTarget, (int) Math.max(LEAST_TARGET, target - usedMillis));
  }

  /** The same priority without a target. */
  public IoPriority withoutTarget() {
    return withoutTarget;
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
    if (text == null) {
      return parse((String) null);
    }
    // What is longer than a message shows is longer than any priority; it may be megabytes.
    int length = Math.min(text.length, LONGEST_SHOWN + 1);
    return parse(new String(text, 0, length, StandardCharsets.ISO_8859_1));
  }

  private static IoPriority parseOrNull(String text) {
    if (text == null) {
      return null;
    }
    int at = text.indexOf('@');
    IoPriority priority = parseWithoutTarget(at < 0 ? text : text.substring(0, at));
    if (at < 0 || priority == null) {
      return priority;
    }
    Matcher target = TARGET.matcher(text.substring(at + 1));
    if (!target.matches()) {
      return null;
    }
    int millis = Integer.parseInt(target.group(1)) * (target.group(2).equals("s") ? 1000 : 1);
    return isTarget(millis) && priority.ioClass.hasLevels() ? priority.within(millis) : null;
  }

  private static IoPriority parseWithoutTarget(String text) {
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
    boolean whole = text.length() <= LONGEST_SHOWN;
    String shown = whole ? text : text.substring(0, LONGEST_SHOWN) + "...";
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

  /** Whether it has a latency target. */
  public boolean hasTarget() {
    return target != 0;
  }

  /** The latency target in milliseconds; 0 if there is none. */
  public int targetMillis() {
    return target;
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

  /** The text form in ASCII bytes, as in an HBase attribute; a new array each time. */
  public byte[] toBytes() {
    return toString().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * What is allowed to somebody who asks for this priority and may have {@code highest}.
   *
   * <p>Class and level are lowered to those of {@code highest} if they are more urgent. Who may
   * have real-time without a target may have every target. A {@code highest} with a target allows
   * no shorter one, and real-time only with one; the target is then that of {@code highest}. Who
   * may have best-effort without a target may have no target at all, because a best-effort request
   * with a target asks for more than one without.
   */
  public IoPriority atMost(IoPriority highest) {
    IoPriority allowed = compareTo(highest) < 0 ? highest.withoutTarget : withoutTarget;
    if (!allowed.ioClass.hasLevels()) {
      return allowed;
    }
    boolean realtimeAsked = ioClass == IoClass.REALTIME;
    if (highest.target == 0) {
      boolean any = highest.ioClass == IoClass.REALTIME;
      return any && target != 0 ? allowed.within(target) : allowed;
    }
    if (target == 0 && !realtimeAsked) {
      return allowed;
    }
    return allowed.within(Math.max(target, highest.target));
  }

  /**
   * Orders by the urgency of class and level, most urgent first; {@link #NONE} ranks like
   * best-effort 4. Targets do not count, so priorities that differ only in these rank alike but are
   * not equal.
   */
  @Override
  public int compareTo(IoPriority other) {
    return Integer.compare(rank(), other.rank());
  }

  private int rank() {
    return isNone() ? IoClass.BEST_EFFORT.code() << 13 | DEFAULT_LEVEL : kernelValue();
  }

  /** Equality of class, level and target. NONE and be:4 rank alike but are not equal. */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof IoPriority)) {
      return false;
    }
    IoPriority that = (IoPriority) other;
    return withoutTarget == that.withoutTarget && target == that.target;
  }

  @Override
  public int hashCode() {
    return kernelValue() + 31 * target;
  }

  /** The short text form, which {@link #parse} accepts. */
  @Override
  public String toString() {
    String text = ioClass.hasLevels() ? ioClass.shortName() + ":" + level : ioClass.shortName();
    return target == 0 ? text : text + "@" + target + "ms";
  }
}
