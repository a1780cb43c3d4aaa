// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much the kernel reads ahead on a disk (queue/read_ahead_kb). Immutable. */
public final class ReadAhead {

  /**
   * The system property that says which one disks get that are made by this process and have none
   * of their own: {@code old}, {@code new} or KiB.
   */
  public static final String PROPERTY = "hprio.readAhead";

  /** The name under which settings of results have it. */
  public static final String SETTING = "read_ahead_kb";

  /** What Linux gives a disk that rotates before 6.17. */
  public static final ReadAhead OLD = new ReadAhead(128);

  /**
   * What Linux gives a SATA disk that rotates from 6.17 on (459779d04ae8): twice {@code
   * max_sectors_kb}, which is 4096 on such a disk. The virtual disk's own {@code max_sectors_kb} is
   * 1024, because FUSE takes no larger request; it gets what such a disk has all the same.
   */
  public static final ReadAhead NEW = new ReadAhead(8192);

  /** The largest in KiB. */
  public static final int MAX_KIB = 65_536;

  private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(?!\\d).*");
  private static final int FIRST_NEW_MAJOR = 6;
  private static final int FIRST_NEW_MINOR = 17;

  private final int kib;

  /**
   * A read-ahead.
   *
   * @param kib in KiB, 0 to 65536
   * @throws IllegalArgumentException naming what is allowed
   */
  public ReadAhead(int kib) {
    if (kib < 0 || kib > MAX_KIB) {
      throw refused(Integer.toString(kib));
    }
    this.kib = kib;
  }

  /** In KiB, 0 to 65536. */
  public int kib() {
    return kib;
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        String.format(
            "no read-ahead \"%s\"; allowed: old (%d KiB), new (%d), or a number of KiB from 0 to %d",
            text, OLD.kib, NEW.kib, MAX_KIB));
  }

  /**
   * The one of a text: {@code old}, {@code new} or a number of KiB.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  public static ReadAhead parse(String text) {
    if (text.equals("old")) {
      return OLD;
    }
    if (text.equals("new")) {
      return NEW;
    }
    if (!text.matches("\\d{1,9}")) {
      throw refused(text);
    }
    return new ReadAhead(Integer.parseInt(text));
  }

  /**
   * What a kernel gives a SATA disk that rotates.
   *
   * @param release the kernel's, such as {@code 6.18.4-arm64}
   * @throws IllegalArgumentException if it does not begin with a version
   */
  static ReadAhead ofKernel(String release) {
    Matcher version = VERSION.matcher(release);
    if (!version.matches()) {
      throw new IllegalArgumentException(
          "this kernel's version \""
              + release
              + "\" does not say which read-ahead it gives a disk; give one: old, new or a number of"
              + " KiB (--read-ahead, or the system property "
              + PROPERTY
              + ")");
    }
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    boolean isNew =
        major > FIRST_NEW_MAJOR || (major == FIRST_NEW_MAJOR && minor >= FIRST_NEW_MINOR);
    return isNew ? NEW : OLD;
  }

  /**
   * The one that {@link #PROPERTY} asks for, if it is set.
   *
   * @throws IllegalArgumentException naming the property and what is allowed
   */
  public static Optional<ReadAhead> given() {
    String text = System.getProperty(PROPERTY);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(PROPERTY + ": " + e.getMessage(), e);
    }
  }

  /**
   * The one that a virtual disk gets: that of {@link #PROPERTY}, else what the running kernel gives
   * a SATA disk that rotates.
   *
   * @throws IllegalArgumentException if the property has none, or the kernel's version cannot be
   *     read; the message says what is allowed
   */
  public static ReadAhead byDefault() {
    return given().orElseGet(() -> ofKernel(System.getProperty("os.version")));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReadAhead && ((ReadAhead) other).kib == kib;
  }

  @Override
  public int hashCode() {
    return kib;
  }

  /** For people. */
  @Override
  public String toString() {
    return kib + " KiB";
  }
}
