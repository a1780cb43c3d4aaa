// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.CachingStrategyProto;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;
import org.hadoopprio.hdfs.datanode.engine.EngineKeys;
import org.hadoopprio.hdfs.datanode.engine.EngineReads;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.FailingTrace;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.SwitchedOff;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.role.WorkScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the operations of one DataXceiver thread, one after the other. */
class DataNodeReadsTest {

  private static final IoPriority BE3 = IoPriority.bestEffort(3);
  private static final ExtendedBlock BLOCK = new ExtendedBlock("BP-1", 1);

  @TempDir private Path directory;

  private final Configuration conf = new Configuration(false);
  private DataNode dataNode;

  @BeforeEach
  void linux() throws ReflectiveOperationException {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
    dataNode = UnstartedDataNode.of(conf);
  }

  @AfterEach
  void nothingIsLeftOnTheThread() {
    assertNull(ThreadIoPriority.applied());
  }

  /** Any message is suitable, because the field is the same in all. */
  private static Message operation() {
    return CachingStrategyProto.getDefaultInstance();
  }

  private static Message malformed() {
    return withContent(ByteString.copyFrom(new byte[] {8, 9}));
  }

  private static Message withContent(ByteString content) {
    return operation().toBuilder()
        .setUnknownFields(
            UnknownFieldSet.newBuilder()
                .addField(
                    PriorityField.NUMBER,
                    UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build())
                .build())
        .build();
  }

  private static void begin(IoPriority asked) {
    ParsedPriority.operationParsed(
        asked == null ? operation() : PriorityField.write(operation(), Hint.of(asked, null)));
    DataNodeReads.readBegins("client", 0, 1, true, false);
  }

  private void accessChecked() {
    DataNodeReads.accessChecked(dataNode, BLOCK, null, "/127.0.0.1:1");
  }

  private IoPriority servedAt() {
    DataNodeReads.readBegins("client", 0, 1, true, false);
    accessChecked();
    IoPriority served = ThreadIoPriority.applied();
    DataNodeReads.finishRead();
    assertNull(ThreadIoPriority.applied());
    return served;
  }

  /** Everybody may have anything, within a cap. */
  private void setCap(String cap) throws IOException {
    Path policy =
        Files.writeString(
            directory.resolve("policy.xml"),
            "<io-priority-policy>" + cap + "<rule user='*' highest='rt:0'/></io-priority-policy>");
    conf.set("dfs.datanode.io.priority.policy.file", policy.toAbsolutePath().toString());
  }

  @Test
  void eachOperationHasItsOwnPriority() {
    ParsedPriority.operationParsed(
        PriorityField.write(operation(), Hint.of(IoPriority.IDLE, null)));
    assertEquals(IoPriority.IDLE, servedAt());
    ParsedPriority.operationParsed(operation());
    assertNull(servedAt());
  }

  @Test
  void whoMayHaveRealtimeOnlyWithATargetHasNoneWhereReadsAreNotHeld() {
    conf.set("dfs.datanode.io.priority.highest", "rt:0@100ms");
    IoPriority asked = IoPriority.parse("rt:0@100ms");
    begin(asked);
    accessChecked();
    assertEquals(IoPriority.bestEffort(0), ThreadIoPriority.applied(), "its volume has no queue");
    DataNodeReads.finishRead();
    ParsedPriority.operationParsed(PriorityField.write(operation(), Hint.of(asked, null)));
    DataNodeReads.checksumBegins(false);
    accessChecked();
    assertEquals(IoPriority.bestEffort(0), ThreadIoPriority.applied(), "checksums");
    DataNodeReads.finishRead();
  }

  /** A DataNode that computes a lost block asks for others without a client's name. */
  @ParameterizedTest
  @CsvSource({
    "client, , CLIENT_READ, NONE",
    "DFSClient_attempt_1_0001_m_000001_0_1_1, , MAPREDUCE_TASK, NONE",
    "'', , UNKNOWN, NONE",
    "client, be:3, CLIENT_READ, BEST_EFFORT",
  })
  void aReadCountsForItsRole(String client, String text, IoRole role, IoClass ioClass) {
    ClassMetrics metrics = PriorityMetrics.roles(role, ioClass);
    long requests = metrics.requests().sum();
    long bytes = metrics.bytes().sum();
    ParsedPriority.operationParsed(
        text == null
            ? operation()
            : PriorityField.write(operation(), Hint.of(IoPriority.parse(text), null)));
    DataNodeReads.readBegins(client, 0, 1, true, false);
    accessChecked();
    DataNodeReads.sent(100);
    DataNodeReads.finishRead();
    assertEquals(requests + 1, metrics.requests().sum());
    assertEquals(bytes + 100, metrics.bytes().sum());
  }

  @Test
  void aRoleWithoutAPriorityOnlyCounts() {
    ClassMetrics metrics = PriorityMetrics.roles(IoRole.UNKNOWN, IoClass.NONE);
    long requests = metrics.requests().sum();
    ParsedPriority.operationParsed(withContent(ByteString.copyFrom(new byte[] {32, 63})));
    assertNull(servedAt());
    assertEquals(requests + 1, metrics.requests().sum());
  }

  @Test
  void aParsedOperationThatNeverBeganLeavesNothing() {
    ParsedPriority.operationParsed(
        PriorityField.write(operation(), Hint.of(IoPriority.IDLE, null)));
    ParsedPriority.operationParsed(operation());
    assertNull(servedAt());
  }

  @Test
  void aMalformedPriorityIsCountedAndServedAsNormal() {
    long before = PriorityMetrics.MALFORMED.sum();
    ParsedPriority.operationParsed(malformed());
    assertNull(servedAt());
    assertEquals(before + 1, PriorityMetrics.MALFORMED.sum());
  }

  @Test
  void aHighestBelowNormalBindsWithoutAPriorityAndWithAMalformedOne() {
    conf.set("dfs.datanode.io.priority.highest", "idle");
    ParsedPriority.operationParsed(operation());
    assertEquals(IoPriority.IDLE, servedAt());
    ParsedPriority.operationParsed(malformed());
    assertEquals(IoPriority.IDLE, servedAt());
  }

  @Test
  void nothingIsDecidedBeforeTheTokenIsChecked() throws IOException {
    setCap("<cap class='be' rate='1'/>");
    long asked = PriorityMetrics.ASKED.sum();
    for (int i = 0; i < 10; i++) {
      begin(BE3);
      assertNull(ThreadIoPriority.applied());
      // The check has failed.
      DataNodeReads.finishRead();
    }
    assertEquals(asked, PriorityMetrics.ASKED.sum());
    begin(BE3);
    accessChecked();
    assertEquals(BE3, ThreadIoPriority.applied(), "no other has used the rate");
    // A copy to another DataNode, for instance, on the same thread.
    accessChecked();
    assertEquals(asked + 1, PriorityMetrics.ASKED.sum());
    DataNodeReads.finishRead();
  }

  @Test
  void aChecksumIsComputedAtItsPriorityOnceItsTokenIsChecked() {
    ParsedPriority.operationParsed(PriorityField.write(operation(), Hint.of(BE3, null)));
    DataNodeReads.checksumBegins(false);
    assertNull(ThreadIoPriority.applied());
    accessChecked();
    assertEquals(BE3, ThreadIoPriority.applied());
    DataNodeReads.finishRead();
    assertNull(ThreadIoPriority.applied());
  }

  @Test
  void othersAreAskedForTheChecksumsOfAGroupWithWhatTheClientHasStated() {
    ParsedPriority.operationParsed(PriorityField.write(operation(), Hint.of(BE3, null)));
    PriorityScope scope = DataNodeReads.groupChecksumBegins(conf);
    assertEquals(BE3, PriorityScope.current());
    assertNull(ThreadIoPriority.applied(), "it reads nothing itself");
    WorkScope.close(scope);
    assertNull(PriorityScope.current());
    ParsedPriority.operationParsed(operation());
    assertNull(DataNodeReads.groupChecksumBegins(conf));
  }

  /** The data set makes a lock for each name that it is asked about, and logs it. */
  @Test
  void theDataSetIsNotAskedAboutAPoolThatIsNotServed() throws ReflectiveOperationException {
    AtomicInteger asked = new AtomicInteger();
    FsDatasetSpi<?> data = Stubs.counting(FsDatasetSpi.class, "getVolume", asked);
    dataNode = UnstartedDataNode.of(conf, data);
    begin(BE3);
    accessChecked();
    DataNodeReads.finishRead();
    assertEquals(1, asked.get(), "a pool that is served");
    for (int i = 0; i < 1_000; i++) {
      begin(BE3);
      DataNodeReads.accessChecked(dataNode, new ExtendedBlock("BP-x" + i, 1), null, "/127.0.0.1:1");
      DataNodeReads.finishRead();
    }
    assertEquals(1, asked.get());
  }

  @Test
  void theCheckOfAnotherOperationIsNotThatOfARead() {
    begin(BE3);
    DataNodeReads.finishRead();
    accessChecked();
    assertNull(ThreadIoPriority.applied());
  }

  static Stream<Arguments> failures() {
    return Stream.of(new IllegalStateException("test"), new Error("test"))
        .flatMap(failure -> Stream.of(1, 2).map(hop -> Arguments.of(hop, failure)));
  }

  /**
   * The first hop is traced when the read has a place in the caps, the second with the priority.
   */
  @ParameterizedTest
  @MethodSource("failures")
  void aFailureInTheMiddleGivesPlaceAndPriorityBack(int hop, Throwable failure) throws IOException {
    setCap("<cap class='be' concurrent='1'/>");
    begin(BE3);
    try (FailingTrace trace = FailingTrace.at(hop, failure)) {
      assertEquals(failure, assertThrows(Throwable.class, this::accessChecked));
    }
    assertNull(ThreadIoPriority.applied());
    Admission other =
        DataNodePolicy.of(conf).admit(BE3, new DataNodeRequest("other", null, "/10.0.0.1:1"), true);
    assertFalse(other.isCapped(), "while the read goes on");
    other.release();
    DataNodeReads.finishRead();
    begin(BE3);
    accessChecked();
    assertEquals(BE3, ThreadIoPriority.applied());
    DataNodeReads.finishRead();
  }

  @Test
  void anEngineThatFailsGivesThePlaceBack() throws IOException, ReflectiveOperationException {
    Configuration engines = new Configuration(false);
    engines.set(EngineKeys.ENGINE.name(), "direct");
    EngineReads.dataNodeStarted(engines, List.of());
    setCap("<cap class='rt' concurrent='1'/>");
    Configuration broken =
        new Configuration(conf) {
          @Override
          public String get(String name) {
            return fail(name, super.get(name));
          }

          @Override
          public String getTrimmed(String name) {
            return fail(name, super.getTrimmed(name));
          }

          private String fail(String name, String value) {
            if (name.equals(EngineKeys.ENGINE.name())) {
              throw new IllegalStateException("test");
            }
            return value;
          }
        };
    dataNode = UnstartedDataNode.of(broken);
    begin(IoPriority.realtime(0));
    assertThrows(IllegalStateException.class, this::accessChecked);
    assertNull(ThreadIoPriority.applied());
    Admission other =
        DataNodePolicy.of(broken)
            .admit(IoPriority.realtime(0), new DataNodeRequest("other", null, "/10.0.0.1:1"), true);
    assertFalse(other.isCapped());
    other.release();
    DataNodeReads.finishRead();
  }

  @Test
  void aReadIsStockWhileAllIsOff() {
    conf.set("dfs.datanode.io.priority.highest", "idle");
    try (SwitchedOff off = SwitchedOff.all()) {
      begin(BE3);
      accessChecked();
      assertNull(ThreadIoPriority.applied());
      DataNodeReads.finishRead();
      long before = PriorityMetrics.MALFORMED.sum();
      ParsedPriority.operationParsed(malformed());
      assertNull(servedAt());
      assertEquals(before, PriorityMetrics.MALFORMED.sum());
    }
    ParsedPriority.operationParsed(operation());
    assertEquals(IoPriority.IDLE, servedAt());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReadInProgressLosesItsPriority(boolean byKey) {
    begin(BE3);
    accessChecked();
    DataNodeReads.sent(1);
    assertEquals(BE3, ThreadIoPriority.applied());
    try (SwitchedOff off = byKey ? null : SwitchedOff.all()) {
      if (byKey) {
        DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "off");
      }
      DataNodeReads.sent(1);
      assertNull(ThreadIoPriority.applied());
      ParsedPriority.operationParsed(
          PriorityField.write(operation(), Hint.of(IoPriority.IDLE, null)));
      assertNull(DataNodeReads.groupChecksumBegins(conf), "what goes on to others");
    }
    DataNodeReads.finishRead();
  }

  @Test
  void aReadThatIsObservedIsStockAndCounted() {
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "observe");
    ClassMetrics granted = PriorityMetrics.reads(IoClass.BEST_EFFORT);
    long requests = granted.requests().sum();
    long bytes = granted.bytes().sum();
    long clamped = PriorityMetrics.CLAMPED.sum();
    begin(BE3);
    accessChecked();
    assertNull(ThreadIoPriority.applied());
    DataNodeReads.sent(100);
    DataNodeReads.finishRead();
    assertEquals(requests + 1, granted.requests().sum());
    assertEquals(bytes + 100, granted.bytes().sum());
    begin(IoPriority.realtime(0));
    accessChecked();
    assertNull(ThreadIoPriority.applied());
    DataNodeReads.finishRead();
    assertEquals(clamped + 1, PriorityMetrics.CLAMPED.sum());
    ParsedPriority.operationParsed(
        PriorityField.write(operation(), Hint.of(IoPriority.IDLE, null)));
    assertNull(DataNodeReads.groupChecksumBegins(conf), "what goes on to others");
  }

  @Test
  void aReadOfTheDataNodeItselfThatIsObservedIsStockAndCounted() {
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "observe");
    IoPriority priority = DataNodePolicy.of(conf).priorityOf(IoRole.BALANCER);
    ClassMetrics metrics = PriorityMetrics.roles(IoRole.BALANCER, priority.ioClass());
    long requests = metrics.requests().sum();
    DataNodeReads.workBegins(IoRole.BALANCER, dataNode, new ExtendedBlock("BP-1", 1, 1000, 1));
    assertNull(ThreadIoPriority.applied());
    DataNodeReads.finishRead();
    assertEquals(requests + 1, metrics.requests().sum());
  }
}
