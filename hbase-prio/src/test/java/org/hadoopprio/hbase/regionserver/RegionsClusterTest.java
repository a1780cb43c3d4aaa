// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many regions have the coprocessor, which an alert compares with how many there are. */
@ExtendWith(MiniCluster.class)
class RegionsClusterTest {

  @Test
  void aRegionThatHasLostTheCoprocessorDoesNotCount() throws Exception {
    TableName name = MiniCluster.table("regions", null);
    HRegion region = MiniCluster.util().getHBaseCluster().getRegions(name).get(0);
    Configuration without = new Configuration(MiniCluster.util().getConfiguration());
    without.unset(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY);
    int before = PriorityMetrics.regions();
    // With it hbase:meta and others.
    assertTrue(before > 1, "regions: " + before);
    region.onConfigurationChange(without);
    assertEquals(before - 1, PriorityMetrics.regions());
    MiniCluster.util().deleteTable(name);
    assertEquals(before - 1, PriorityMetrics.regions());
  }
}
