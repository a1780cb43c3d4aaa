// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The rights of this process. */
public final class Privileges {

  private Privileges() {}

  /** Whether this process runs as root, so that it may mount and use loop devices and tracefs. */
  public static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the owner of /proc/self", e);
    }
  }
}
