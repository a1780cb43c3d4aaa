// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A mounted file system, a line of /proc/PID/mountinfo (proc(5)). Immutable. */
public final class Mount {

  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");

  private final String device;
  private final String point;
  private final Set<String> options;
  private final String type;
  private final String source;

  private Mount(String device, String point, Set<String> options, String type, String source) {
    this.device = device;
    this.point = point;
    this.options = options;
    this.type = type;
    this.source = source;
  }

  /** The mounts of a process, in the order they were made. */
  public static List<Mount> parse(String mountinfo) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : mountinfo.split("\n", -1)) {
      String[] halves = line.split(" - ", 2);
      if (halves.length < 2) {
        continue;
      }
      String[] left = halves[0].split(" ", -1);
      String[] right = halves[1].split(" ", -1);
      if (left.length >= 6 && right.length >= 2) {
        mounts.add(
            new Mount(
                left[2],
                unescape(left[4]),
                Set.of(left[5].split(",", -1)),
                right[0],
                unescape(right[1])));
      }
    }
    return mounts;
  }

  private static String unescape(String text) {
    return ESCAPE
        .matcher(text)
        .replaceAll(
            m -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(m.group(1), 8))));
  }

  /**
   * The mount that holds a path: the deepest one; if several have the same mount point, the last.
   */
  public static Optional<Mount> of(List<Mount> mounts, String path) {
    Mount best = null;
    for (Mount mount : mounts) {
      if (Path.of(path).startsWith(mount.point)
          && (best == null || mount.point.length() >= best.point.length())) {
        best = mount;
      }
    }
    return Optional.ofNullable(best);
  }

  /** The device's number, {@code major:minor}; major 0 means that it has no device of its own. */
  public String device() {
    return device;
  }

  public String point() {
    return point;
  }

  public boolean has(String option) {
    return options.contains(option);
  }

  /** The file system's type. */
  public String type() {
    return type;
  }

  /** What is mounted; for most disks their node in /dev. */
  String source() {
    return source;
  }
}
