// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.hdfs.datanode.DataNodePolicy;
import org.hadoopprio.log.LoggedLines;
import org.junit.jupiter.api.Test;

class RemovedKeysTest {

  private static List<String> linesOfADataNodeWith(String profile) {
    Configuration conf = new Configuration(false);
    conf.set(RemovedKeys.DATANODE_PROFILE, profile);
    try (LoggedLines lines = LoggedLines.of(DataNodePolicy.class)) {
      DataNodePolicy.of(conf);
      return List.copyOf(lines.all());
    }
  }

  @Test
  void aDataNodeSaysThatItsProfileIsNone() {
    List<String> said = linesOfADataNodeWith("latency-first");
    assertEquals(1, said.size(), said::toString);
    assertTrue(
        said.get(0)
            .contains(
                "dfs.datanode.io.priority.profile = \"latency-first\": there are no profiles"),
        said::toString);
  }

  @Test
  void nothingIsSaidWhereThereIsNone() {
    assertEquals(List.of(), linesOfADataNodeWith(" "));
  }
}
