// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;

/** One request covers the rest of a block, with the priority and tenant that it was sent with. */
class ReopenedBlockTest {

  private static final long BYTES = 1 << 20;

  private final LocatedBlock block =
      new LocatedBlock(new ExtendedBlock("pool", 1, BYTES, 1), new DatanodeInfo[0]);

  /** A reader of the network; its only method that is called says so. */
  private final BlockReader reader =
      (BlockReader)
          Proxy.newProxyInstance(
              BlockReader.class.getClassLoader(),
              new Class<?>[] {BlockReader.class},
              (proxy, method, args) -> {
                switch (method.getName()) {
                  case "isShortCircuit":
                    return false;
                  case "hashCode":
                    return System.identityHashCode(proxy);
                  default:
                    return proxy == args[0];
                }
              });

  @Test
  void anotherTenantOrPriorityOpensTheBlockAnew() {
    IoPriority be2 = IoPriority.bestEffort(2);
    try (PriorityScope etl = PriorityScope.open(null, null, 0, "etl")) {
      ClientReads.opened(reader, block, 0, BYTES);
      assertFalse(ClientReads.mustReopen(reader));
      long reopened = PriorityMetrics.REOPENED.sum();
      try (PriorityScope locked = PriorityScope.open(null, null, 0, "default")) {
        assertTrue(ClientReads.mustReopen(reader));
      }
      try (PriorityScope urgent = PriorityScope.open(be2)) {
        assertTrue(ClientReads.mustReopen(reader));
        ClientReads.opened(reader, block, 0, BYTES);
        assertFalse(ClientReads.mustReopen(reader));
      }
      assertEquals(reopened + 2, PriorityMetrics.REOPENED.sum());
    }
    assertTrue(ClientReads.mustReopen(reader), "for nobody");
  }
}
