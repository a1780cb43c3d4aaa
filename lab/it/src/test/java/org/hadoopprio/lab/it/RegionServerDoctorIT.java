// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.junit.jupiter.api.Test;

/** The doctor reads from a RegionServer as it runs what HBase is told to load. */
class RegionServerDoctorIT {

  private static final String KEY = "hbase.coprocessor.region.classes";
  private static final String OWN = "org.hadoopprio.hbase.regionserver.IoPriorityObserver";
  private static final String OTHER =
      "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";
  private static final String STOCK_FACTORY =
      "hbase.region.server.rpc.scheduler.factory.class is org.apache.hadoop.hbase.";

  @Test
  void eachKeyThatLacksItsEntryIsNamed() throws IOException {
    LocalCluster cluster = SharedCluster.getWithStockScheduler();
    Daemon server = cluster.daemon(Role.REGIONSERVER);
    String[] arguments = {"--http", "127.0.0.1:" + server.port("http")};
    DoctorVisit one = new DoctorVisit(arguments);
    assertEquals(List.of("ok agent", "problem agent"), one.findings("agent"), one.output());
    assertTrue(one.output().contains(STOCK_FACTORY), one.output());
    assertFalse(one.output().contains(KEY), one.output());
    // What update_config reads is what a RegionServer shows at once; its regions keep what they
    // have.
    cluster.reconfigure(server, o -> o.conf(KEY, OTHER));
    try {
      DoctorVisit both = new DoctorVisit(arguments);
      assertTrue(both.output().contains(STOCK_FACTORY), both.output());
      assertTrue(both.output().contains(KEY + " names only " + OTHER + "; "), both.output());
      assertEquals(1, both.exit(), both.output());
    } finally {
      cluster.reconfigure(server, o -> o.conf(KEY, OWN));
    }
  }
}
