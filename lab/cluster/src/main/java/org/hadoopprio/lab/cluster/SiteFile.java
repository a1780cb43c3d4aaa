// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.util.List;

/** Hadoop's configuration files. */
@SuppressWarnings("ImmutableEnumChecker") // the list comes from List.of
enum SiteFile {
  CORE("core-site.xml"),
  HDFS("hdfs-site.xml", "dfs."),
  HBASE("hbase-site.xml", "hbase.", "hfile.", "zookeeper."),
  YARN("yarn-site.xml", "yarn."),
  MAPRED("mapred-site.xml", "mapreduce.", "mapred.");

  private final String fileName;
  private final List<String> prefixes;

  SiteFile(String fileName, String... prefixes) {
    this.fileName = fileName;
    this.prefixes = List.of(prefixes);
  }

  String fileName() {
    return fileName;
  }

  /** The file where a key belongs: that of the component that its name begins with. */
  static SiteFile of(String key) {
    for (SiteFile file : values()) {
      for (String prefix : file.prefixes) {
        if (key.startsWith(prefix)) {
          return file;
        }
      }
    }
    return CORE;
  }
}
