// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A directory of dfs.datanode.data.dir. Immutable. */
public final class Volume {

  private static final Pattern LOCATION = Pattern.compile("(?:\\[(\\w*)\\])?(.+)");

  private final String path;
  private final boolean ramDisk;

  Volume(String path, boolean ramDisk) {
    this.path = path;
    this.ramDisk = ramDisk;
  }

  /**
   * Reads the value of dfs.datanode.data.dir: paths or file URIs, each with an optional storage
   * type.
   */
  public static List<Volume> parse(String value) {
    List<Volume> volumes = new ArrayList<>();
    for (String location : value.split(",", -1)) {
      Matcher matcher = LOCATION.matcher(location.strip());
      if (matcher.matches()) {
        boolean ramDisk = "RAM_DISK".equalsIgnoreCase(matcher.group(1));
        volumes.add(new Volume(path(matcher.group(2)), ramDisk));
      }
    }
    return volumes;
  }

  private static String path(String location) {
    String path = location.startsWith("file:") ? URI.create(location).getPath() : location;
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  public String path() {
    return path;
  }

  /** Whether its storage type is RAM_DISK. */
  public boolean isRamDisk() {
    return ramDisk;
  }
}
