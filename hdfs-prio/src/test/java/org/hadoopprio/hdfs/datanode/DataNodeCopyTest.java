// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DataNodeCopyTest {

  private static final int BYTES = 1000;

  private final Configuration conf = new Configuration(false);
  private final ReplicaInfo replica = new FinalizedReplica(new Block(1, BYTES, 1), null, null);
  private DataNode dataNode;

  @BeforeEach
  void linux() throws ReflectiveOperationException {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
    conf.set(DataNodeKeys.ROLES.name(), "disk-balancer=idle, balancer=be:6");
    conf.set(DataNodeKeys.WRITE_BEHIND.name(), "0");
    dataNode = UnstartedDataNode.of(conf);
  }

  @AfterEach
  void nothingIsLeftOnTheThread() {
    assertNull(ThreadIoPriority.applied());
  }

  private void assertCopied(IoRole role, IoPriority priority) {
    IoClass ioClass = priority == null ? IoClass.NONE : priority.ioClass();
    ClassMetrics metrics = PriorityMetrics.roles(role, ioClass);
    long bytes = metrics.bytes().sum();
    DataNodeCopy begun = DataNodeCopy.begin(dataNode, replica, null);
    assertEquals(priority, ThreadIoPriority.applied());
    DataNodeCopy.end(begun, replica);
    assertEquals(bytes + 2 * BYTES, metrics.bytes().sum(), "read and written");
    assertNull(ThreadIoPriority.applied());
  }

  @Test
  void aCopyHasThePriorityOfWhomItIsFor() {
    assertCopied(IoRole.BALANCER, IoPriority.bestEffort(6));
    DataNodeCopy.balancerBegins();
    assertCopied(IoRole.DISK_BALANCER, IoPriority.IDLE);
    DataNodeCopy.balancerEnds();
    assertCopied(IoRole.BALANCER, IoPriority.bestEffort(6));
  }

  @Test
  void aRoleWithoutAPriorityCountsOnly() throws ReflectiveOperationException {
    Configuration none = new Configuration(false);
    none.set(DataNodeKeys.ROLES.name(), "none");
    dataNode = UnstartedDataNode.of(none);
    assertCopied(IoRole.BALANCER, null);
  }

  @Test
  void aCopyThatFailsLeavesNothing() {
    ClassMetrics metrics = PriorityMetrics.roles(IoRole.BALANCER, IoClass.BEST_EFFORT);
    long bytes = metrics.bytes().sum();
    DataNodeCopy.end(DataNodeCopy.begin(dataNode, replica, null), null);
    assertEquals(bytes, metrics.bytes().sum());
    DataNodeCopy.end(null, replica);
  }
}
