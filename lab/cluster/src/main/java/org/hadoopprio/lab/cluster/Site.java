// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** The contents of a configuration directory's site files. Not thread-safe. */
final class Site {

  private final Map<SiteFile, Map<String, String>> files = new EnumMap<>(SiteFile.class);

  Site() {
    for (SiteFile file : SiteFile.values()) {
      files.put(file, new TreeMap<>());
    }
  }

  /** Sets a key in the file of its component. */
  Site set(String key, Object value) {
    return set(SiteFile.of(key), key, value);
  }

  /** Sets a key in one file. */
  Site set(SiteFile file, String key, Object value) {
    files.get(file).put(key, value.toString());
    return this;
  }

  /** Writes all files. */
  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (Map.Entry<SiteFile, Map<String, String>> entry : files.entrySet()) {
      Configuration conf = new Configuration(false);
      entry.getValue().forEach(conf::set);
      Path path = directory.resolve(entry.getKey().fileName());
      try (OutputStream out = Files.newOutputStream(path)) {
        conf.writeXml(out);
      }
    }
  }

  /** Adds a directory's files to a configuration. */
  static void read(Path directory, Configuration conf) {
    for (SiteFile file : SiteFile.values()) {
      conf.addResource(new org.apache.hadoop.fs.Path(directory.resolve(file.fileName()).toUri()));
    }
  }
}
