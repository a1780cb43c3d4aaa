// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.PolicyReader;
import org.hadoopprio.policy.Requester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the tenants of a system come to daemons and clients. */
class TenantsTest {

  @TempDir private Path directory;

  @Test
  void aSystemWithTenantsHasAPolicyOfThem() throws IOException {
    Plan.TriedSystem turns = ShippedPlan.read("tenants").systems().get("turns");
    Plan.TriedSystem with = Tenants.withPolicy(turns, directory);
    Path file = Path.of(with.dataNode().get(DataNodeKeys.POLICY_FILE.name()));
    String xml = Files.readString(file);
    assertDoesNotThrow(() -> PolicyReader.forDataNode(file.toString()));
    assertEquals(file.toString(), with.regionServer().get(HBaseKeys.POLICY.name()));
    AccessPolicy policy = PolicyReader.forRegionServer(file.toString());
    assertEquals("serve", policy.tenant(requestFor("serve")));
    assertEquals("default", policy.tenant(requestFor("another")));
    for (String name : turns.tenants()) {
      assertTrue(xml.contains("<tenant name=\"" + name + "\"/>"), xml);
    }
    assertEquals("turns", with.dataNode().get("dfs.datanode.io.priority.scheduler"));
  }

  private static Requester requestFor(String table) {
    return new Requester() {
      @Override
      public String user() {
        return "joe";
      }

      @Override
      public Collection<String> groups() {
        return List.of();
      }

      @Override
      public String table() {
        return table;
      }
    };
  }

  @Test
  void aSystemWithoutTenantsIsAsItIs() throws IOException {
    Plan.TriedSystem stock = ShippedPlan.read("tenants").systems().get("stock");
    assertSame(stock, Tenants.withPolicy(stock, directory));
    assertEquals(List.of(), Tenants.keys(stock, Role.DATANODE));
    assertEquals(List.of(), Tenants.keys(stock, Role.REGIONSERVER));
  }

  @Test
  void aClientSaysWhichTenantItIs() {
    assertEquals(
        Map.of("dfs.client.io.tenant", "scan"),
        Tenants.ofClient(Map.of("tenant", "scan", "streams", "16")));
    assertEquals(Map.of(), Tenants.ofClient(Map.of("streams", "16")));
  }
}
