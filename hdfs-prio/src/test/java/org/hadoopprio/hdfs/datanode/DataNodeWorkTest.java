// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Op;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.CachingStrategyProto;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.client.ClientReads;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;
import org.hadoopprio.hdfs.wire.MalformedPriorityException;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.SwitchedOff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a DataNode does of its own accord, one after the other on one thread. */
class DataNodeWorkTest {

  private static final IoPriority BE6 = IoPriority.bestEffort(6);

  private final Configuration conf = new Configuration(false);

  @BeforeEach
  void linux() {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
    conf.set(
        DataNodeKeys.ROLES.name(), "directory-scanner=be:6, balancer=be:6, ec-reconstruction=none");
  }

  @AfterEach
  void nothingIsLeftOnTheThread() {
    assertNull(ThreadIoPriority.applied());
    assertNull(PriorityScope.current());
    DataNodeWork.dataNodeStarting(null);
  }

  @Test
  void workHasThePriorityOfItsRoleAndSoHasWhatItSends() {
    DataNodeWork.dataNodeStarting(DataNodePolicy.of(conf));
    DataNodeWork begun = DataNodeWork.begin(IoRole.DIRECTORY_SCANNER);
    assertEquals(BE6, ThreadIoPriority.applied());
    assertEquals(BE6, PriorityScope.current());
    assertEquals(IoRole.DIRECTORY_SCANNER, PriorityScope.currentRole());
    DataNodeWork.end(begun);
  }

  @Test
  void aRoleWithoutAPriorityAndADataNodeThatIsNotThereChangeNothing() {
    assertNull(DataNodeWork.begin(IoRole.DIRECTORY_SCANNER));
    DataNodeWork.end(null);
    DataNodeWork.dataNodeStarting(DataNodePolicy.of(conf));
    ClassMetrics metrics = PriorityMetrics.roles(IoRole.EC_RECONSTRUCTION, IoClass.NONE);
    long requests = metrics.requests().sum();
    DataNodeWork begun = DataNodeWork.begin(IoRole.EC_RECONSTRUCTION);
    assertNull(ThreadIoPriority.applied());
    assertNull(PriorityScope.current());
    DataNodeWork.end(begun);
    assertEquals(requests + 1, metrics.requests().sum());
  }

  @Test
  void aBlockThatIsReadForARoleCountsForIt() throws ReflectiveOperationException {
    DataNode dataNode = UnstartedDataNode.of(conf);
    ClassMetrics metrics = PriorityMetrics.roles(IoRole.BALANCER, IoClass.BEST_EFFORT);
    long requests = metrics.requests().sum();
    long bytes = metrics.bytes().sum();
    DataNodeReads.workBegins(IoRole.BALANCER, dataNode, new ExtendedBlock("BP-1", 1, 1000, 1));
    assertEquals(BE6, ThreadIoPriority.applied());
    DataNodeReads.sent(1000);
    DataNodeReads.finishRead();
    assertEquals(requests + 1, metrics.requests().sum());
    assertEquals(bytes + 1000, metrics.bytes().sum());
  }

  @Test
  void workIsStockWhileItIsOff() throws ReflectiveOperationException {
    DataNodeWork.dataNodeStarting(DataNodePolicy.of(conf));
    try (SwitchedOff off = SwitchedOff.only(AgentModule.WORK)) {
      assertNull(DataNodeWork.begin(IoRole.DIRECTORY_SCANNER));
      DataNode dataNode = UnstartedDataNode.of(conf);
      DataNodeReads.workBegins(IoRole.BALANCER, dataNode, new ExtendedBlock("BP-1", 1, 1000, 1));
      assertNull(ThreadIoPriority.applied());
      DataNodeReads.finishRead();
    }
    try (SwitchedOff off = SwitchedOff.only(AgentModule.DATANODE)) {
      assertNull(DataNodeWork.begin(IoRole.DIRECTORY_SCANNER));
    }
  }

  @Test
  void workIsStockWhereAllVolumesHaveModeOff() {
    DataNodeWork.dataNodeStarting(DataNodePolicy.of(conf));
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "off");
    assertNull(DataNodeWork.begin(IoRole.DIRECTORY_SCANNER));
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "turns");
    DataNodeWork.end(DataNodeWork.begin(IoRole.DIRECTORY_SCANNER));
  }

  @Test
  void workThatIsObservedIsStockAndCounted() {
    DataNodePolicy policy = DataNodePolicy.of(conf);
    DataNodeWork.dataNodeStarting(policy);
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "observe");
    IoPriority priority = policy.priorityOf(IoRole.DIRECTORY_SCANNER);
    ClassMetrics metrics =
        PriorityMetrics.roles(
            IoRole.DIRECTORY_SCANNER, priority == null ? IoClass.NONE : priority.ioClass());
    long requests = metrics.requests().sum();
    DataNodeWork work = DataNodeWork.begin(IoRole.DIRECTORY_SCANNER);
    assertNull(ThreadIoPriority.applied());
    assertNull(PriorityScope.current());
    DataNodeWork.end(work);
    assertEquals(requests + 1, metrics.requests().sum());
  }

  /** A source that is late by then is read for nothing, because another one is read instead. */
  @ParameterizedTest
  @CsvSource({", 5000", "9000, 9000", "90000, 0"})
  void aReconstructionStatesHowLongItWaitsForASource(String timeout, int stated)
      throws MalformedPriorityException {
    conf.set(DataNodeKeys.ROLES.name(), "ec-reconstruction=be:6, directory-scanner=be:6");
    if (timeout != null) {
      conf.set("dfs.datanode.ec.reconstruction.stripedread.timeout.millis", timeout);
    }
    DataNodeWork.dataNodeStarting(DataNodePolicy.of(conf));
    DataNodeWork begun = DataNodeWork.begin(IoRole.EC_RECONSTRUCTION);
    assertEquals(stated, patienceOfARead());
    DataNodeWork.end(begun);
    begun = DataNodeWork.begin(IoRole.DIRECTORY_SCANNER);
    assertEquals(0, patienceOfARead());
    DataNodeWork.end(begun);
  }

  private static int patienceOfARead() throws MalformedPriorityException {
    Message sent = ClientReads.stamp(Op.READ_BLOCK, CachingStrategyProto.getDefaultInstance());
    return PriorityField.read(sent).patienceMillis();
  }
}
