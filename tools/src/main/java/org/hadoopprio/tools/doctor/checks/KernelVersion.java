// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a Linux release. Immutable. */
final class KernelVersion {

  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");

  private final int major;
  private final int minor;

  private KernelVersion(int major, int minor) {
    this.major = major;
    this.minor = minor;
  }

  /** Parses a release such as {@code 6.1.0-18-amd64}; empty if it does not begin with a version. */
  static Optional<KernelVersion> parse(String release) {
    Matcher matcher = RELEASE.matcher(release);
    return matcher.matches()
        ? Optional.of(
            new KernelVersion(
                Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
        : Optional.empty();
  }

  boolean isAtLeast(int wantedMajor, int wantedMinor) {
    return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
  }
}
