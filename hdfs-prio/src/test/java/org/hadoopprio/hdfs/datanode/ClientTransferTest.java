// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.reflect.Field;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hadoopprio.IoClass;
import org.hadoopprio.agent.WovenClass;
import org.hadoopprio.agent.hooks.DataTransferHooks;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests Hadoop's class that sends a replica, with the hooks of module datanode alone. */
class ClientTransferTest {

  private final Configuration conf = new Configuration(false);

  @BeforeEach
  void linux() {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
  }

  private static void set(Object object, String name, Object value)
      throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    field.set(object, value);
  }

  /** Another DataNode of the pipeline has failed: that is no work of this one's own. */
  @Test
  void thePolicyDecidesAboutItWithoutModuleWork() throws Exception {
    conf.set("dfs.datanode.io.priority.highest", "idle");
    Object transfer =
        UnstartedDataNode.unmade(
            WovenClass.of(DataTransferHooks.DATA_TRANSFER, AgentModule.DATANODE));
    set(transfer, "this$0", UnstartedDataNode.of(conf));
    set(transfer, "b", new ExtendedBlock("BP-1", 1, 1000, 1));
    set(transfer, "clientname", "client");
    DataNodeWrites.writeBegins(conf, "client", false);
    DataNodeWrites.accessChecked(null, "/127.0.0.1:1");
    DataNodeWrites.transferMade(transfer);
    DataNodeWrites.finishWrite();
    long before = PriorityMetrics.reads(IoClass.IDLE).requests().sum();
    // It fails, because the DataNode has not started, and logs that.
    ((Runnable) transfer).run();
    assertEquals(1, PriorityMetrics.reads(IoClass.IDLE).requests().sum() - before);
    assertNull(ThreadIoPriority.applied(), "nothing is left on the thread");
  }
}
