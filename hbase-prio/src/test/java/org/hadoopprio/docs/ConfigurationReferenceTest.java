// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.IoPriority;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.config.HdfsKeys;
import org.junit.jupiter.api.Test;

/**
 * docs/configuration.md must match the keys in the code. After a change to a key, regenerate it
 * with {@code mvn -pl hbase-prio -am test -Dtest=ConfigurationReferenceTest
 * -Dhprio.docs.write=true}.
 */
class ConfigurationReferenceTest {

  private static final Path FILE = Path.of("..", "docs", "configuration.md");

  @Test
  void theReferenceIsUpToDate() throws IOException {
    String reference = reference();
    if (Boolean.getBoolean("hprio.docs.write")) {
      Files.writeString(FILE, reference);
    }
    assertEquals(reference, Files.readString(FILE));
  }

  private static String reference() {
    List<ConfigKey<?>> keys = new ArrayList<>(HdfsKeys.all());
    keys.addAll(HBaseKeys.all());
    StringBuilder out = new StringBuilder();
    out.append("# Configuration reference\n\n")
        .append("Generated from the code by `ConfigurationReferenceTest`; do not edit.\n\n")
        .append("A priority is written as: ")
        .append(IoPriority.ALLOWED)
        .append(". A class without a level means level ")
        .append(IoPriority.DEFAULT_LEVEL)
        .append(", as in ionice(1).\n\n")
        .append("The message about a malformed value names the key, the value and what is allowed.")
        .append(
            " A RegionServer does not start with a malformed value. A DataNode or a client logs")
        .append(" it and uses the default. A key that is not reloadable needs a restart.\n");
    for (ConfigKey.Tag tag : ConfigKey.Tag.values()) {
      out.append("\n## ").append(title(tag)).append("\n");
      for (ConfigKey<?> key : keys) {
        if (key.tag() == tag) {
          append(out, key);
        }
      }
    }
    return out.toString();
  }

  private static String title(ConfigKey.Tag tag) {
    switch (tag) {
      case HDFS_CLIENT:
        return "HDFS client (core-site.xml or hdfs-site.xml of the reader)";
      case DATANODE:
        return "DataNode (hdfs-site.xml)";
      default:
        return "RegionServer (hbase-site.xml)";
    }
  }

  private static void append(StringBuilder out, ConfigKey<?> key) {
    out.append("\n### `").append(key.name()).append("`\n\n");
    out.append("Type: ")
        .append(key.type())
        .append(". Default: ")
        .append(key.defaultText().isEmpty() ? "not set" : "`" + key.defaultText() + "`")
        .append(". Reloadable: ")
        .append(key.isReloadable() ? "yes" : "no")
        .append(".\n\n")
        .append(key.description())
        .append("\n");
  }
}
