// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Op;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.CachingStrategyProto;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.client.ClientReads;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.MalformedPriorityException;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.SwitchedOff;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.role.WorkScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the writes of one DataXceiver thread, one after the other. */
class DataNodeWritesTest {

  private static final IoPriority BE3 = IoPriority.bestEffort(3);
  private static final String PEER = "/127.0.0.1:1";
  private static final int BYTES = 1000;

  @TempDir private Path directory;

  private final Configuration conf = new Configuration(false);
  private final Replica replica = new FinalizedReplica(new Block(1, BYTES, 1), null, null);
  private DataNode dataNode;

  @BeforeAll
  static void openJavaIo() {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
  }

  @BeforeEach
  void linux() throws ReflectiveOperationException {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
    dataNode = UnstartedDataNode.of(conf);
  }

  @AfterEach
  void nothingIsLeftOnTheThread() {
    assertNull(ThreadIoPriority.applied());
    assertNull(PriorityScope.current());
  }

  /** Any message is suitable, because the field is the same in all. */
  private static Message operation() {
    return CachingStrategyProto.getDefaultInstance();
  }

  private void begin(IoPriority asked, String client) {
    beginStating(Hint.of(asked, null), client);
  }

  private void beginStating(Hint stated, String client) {
    ParsedPriority.operationParsed(
        stated == Hint.NOTHING ? operation() : PriorityField.write(operation(), stated));
    DataNodeWrites.writeBegins(conf, client, false);
  }

  private IoPriority write(IoPriority asked, String client) {
    return writeStating(Hint.of(asked, null), client);
  }

  /** A DataXceiver that does a whole write; returns the priority at which it has received it. */
  private IoPriority writeStating(Hint stated, String client) {
    beginStating(stated, client);
    DataNodeWrites.accessChecked(null, PEER);
    DataNodeWrites.receiveBegins(dataNode, replica);
    IoPriority served = ThreadIoPriority.applied();
    DataNodeWrites.receiveEnds(replica);
    DataNodeWrites.finishWrite();
    assertNull(ThreadIoPriority.applied());
    assertNull(PriorityScope.current());
    return served;
  }

  private static IoPriority sentOn() throws MalformedPriorityException {
    return PriorityField.read(ClientReads.stamp(Op.WRITE_BLOCK, operation())).priority();
  }

  @Test
  void eachWriteHasItsOwnPriority() {
    ClassMetrics idle = PriorityMetrics.writes(IoClass.IDLE);
    long requests = idle.requests().sum();
    assertEquals(IoPriority.IDLE, write(IoPriority.IDLE, "client"));
    assertEquals(requests + 1, idle.requests().sum());
    assertNull(write(null, "client"));
    assertNull(write(IoPriority.NONE, "client"));
    assertEquals(requests + 1, idle.requests().sum());
  }

  @Test
  void aHighestBelowNormalBindsWithoutAPriority() {
    conf.set("dfs.datanode.io.priority.highest", "idle");
    assertEquals(IoPriority.IDLE, write(null, "client"));
    assertEquals(IoPriority.IDLE, write(IoPriority.NONE, "client"));
  }

  @Test
  void whoMayHaveRealtimeOnlyWithATargetWritesWithoutIt() {
    conf.set("dfs.datanode.io.priority.highest", "rt:0@100ms");
    assertEquals(IoPriority.bestEffort(0), write(IoPriority.parse("rt:0@100ms"), "client"));
  }

  @Test
  void whatWasAskedGoesOnAndWhatIsGrantedIsApplied() throws MalformedPriorityException {
    begin(IoPriority.realtime(2), "client");
    assertNull(sentOn(), "nobody has shown a token");
    DataNodeWrites.accessChecked(null, PEER);
    assertSame(IoPriority.realtime(2), sentOn());
    assertNull(ThreadIoPriority.applied());
    DataNodeWrites.receiveBegins(dataNode, replica);
    assertEquals(IoPriority.bestEffort(0), ThreadIoPriority.applied(), "highest is be:0");
    assertSame(IoPriority.realtime(2), sentOn());
    DataNodeWrites.receiveEnds(replica);
    DataNodeWrites.finishWrite();
    assertNull(sentOn());
  }

  @Test
  void theRoleGoesOnAndCounts() throws MalformedPriorityException {
    ClassMetrics log = PriorityMetrics.roles(IoRole.WAL, IoClass.BEST_EFFORT);
    long requests = log.requests().sum();
    Hint hint = Hint.of(BE3, IoRole.WAL);
    ParsedPriority.operationParsed(PriorityField.write(operation(), hint));
    DataNodeWrites.writeBegins(conf, "client", false);
    DataNodeWrites.accessChecked(null, PEER);
    assertSame(hint, PriorityField.read(ClientReads.stamp(Op.WRITE_BLOCK, operation())));
    DataNodeWrites.receiveBegins(dataNode, replica);
    DataNodeWrites.receiveEnds(replica);
    DataNodeWrites.finishWrite();
    assertEquals(requests + 1, log.requests().sum());
  }

  @Test
  void aWriteWithoutAPriorityCountsForItsClient() {
    for (Map.Entry<String, IoRole> of :
        Map.of(
                "DFSClient_NONMAPREDUCE_1_1", IoRole.CLIENT_WRITE,
                "DFSClient_attempt_1_0001_m_000001_0_1_1", IoRole.MAPREDUCE_TASK)
            .entrySet()) {
      ClassMetrics metrics = PriorityMetrics.roles(of.getValue(), IoClass.NONE);
      long requests = metrics.requests().sum();
      assertNull(write(null, of.getKey()));
      assertEquals(requests + 1, metrics.requests().sum());
    }
  }

  @Test
  void aTransferForAClientSendsOnWhatTheClientAskedFor() throws MalformedPriorityException {
    Object transfer = new Object();
    begin(BE3, "client");
    DataNodeWrites.accessChecked(null, PEER);
    DataNodeWrites.transferMade(transfer);
    DataNodeWrites.finishWrite();
    assertNull(sentOn());
    PriorityScope scope = DataNodeWrites.transferRuns(transfer);
    assertSame(BE3, sentOn());
    WorkScope.close(scope);
    assertNull(sentOn());

    Object lost = new Object();
    DataNodeWrites.transferMade(lost);
    assertNull(DataNodeWrites.transferRuns(lost), "the NameNode wants it");
  }

  /** A DataXceiver that has a replica sent for a client; the thread that sends it is another. */
  private Object transferFor(Hint stated, String client) {
    Object transfer = new Object();
    beginStating(stated, client);
    DataNodeWrites.accessChecked(null, PEER);
    DataNodeWrites.transferMade(transfer);
    DataNodeWrites.finishWrite();
    return transfer;
  }

  /** Returns the priority at which the replica is read. */
  private IoPriority readOf(Object transfer) {
    DataNodeWrites.transferReads(transfer, dataNode, new ExtendedBlock("BP-1", 1, BYTES, 1));
    IoPriority served = ThreadIoPriority.applied();
    DataNodeReads.finishRead();
    return served;
  }

  @Test
  void aTransferWithoutAPriorityIsLimitedLikeAnyRead() {
    conf.set("dfs.datanode.io.priority.highest", "idle");
    assertEquals(IoPriority.IDLE, readOf(transferFor(Hint.NOTHING, "client")));
    assertEquals(IoPriority.IDLE, readOf(transferFor(Hint.of(IoPriority.NONE, null), "client")));
    assertEquals(IoPriority.IDLE, readOf(transferFor(Hint.of(BE3, null), "client")));
    assertNull(readOf(new Object()), "the NameNode wants it");
  }

  @Test
  void aRuleAppliesToATransferWithoutAPriority() throws MalformedPriorityException {
    conf.set("dfs.datanode.io.priority.rules", "client=DFSClient_attempt_.* => be:7");
    Object ruled = transferFor(Hint.NOTHING, "DFSClient_attempt_1_0001_m_000001_0_1_1");
    assertEquals(IoPriority.bestEffort(7), readOf(ruled));
    PriorityScope scope = DataNodeWrites.transferRuns(ruled);
    assertNull(sentOn(), "the next DataNode has rules of its own");
    WorkScope.close(scope);
    assertNull(readOf(transferFor(Hint.NOTHING, "client")));
  }

  @Test
  void aTransferIsDecidedAboutAlsoWhereNothingIsSentOn() {
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "observe");
    ClassMetrics granted = PriorityMetrics.reads(IoClass.BEST_EFFORT);
    long requests = granted.requests().sum();
    Object transfer = transferFor(Hint.of(BE3, null), "client");
    assertNull(DataNodeWrites.transferRuns(transfer));
    assertNull(readOf(transfer));
    assertEquals(requests + 1, granted.requests().sum());
  }

  @Test
  void aThreadStartedMeanwhileHasThePriorityToo() throws InterruptedException {
    begin(BE3, "client");
    DataNodeWrites.accessChecked(null, PEER);
    DataNodeWrites.receiveBegins(dataNode, replica);
    AtomicReference<IoPriority> responder = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              // What the kernel says; this class knows nothing of the thread yet.
              ThreadIoPriority.restore(ThreadIoPriority.apply(IoPriority.IDLE));
              responder.set(ThreadIoPriority.applied());
            });
    thread.start();
    thread.join();
    assertEquals(BE3, responder.get());
    DataNodeWrites.receiveEnds(replica);
    DataNodeWrites.finishWrite();
  }

  @Test
  void aWriteWhoseTokenIsRefusedChangesNothing() throws IOException {
    setCap("<cap class='be' rate='1'/>");
    for (int i = 0; i < 10; i++) {
      begin(BE3, "client");
      DataNodeWrites.finishWrite();
    }
    assertEquals(BE3, write(BE3, "client"), "no other has used the rate");
  }

  @Test
  void aFinishedWriteGivesItsPlaceBack() throws IOException {
    setCap("<cap class='be' concurrent='1'/>");
    begin(BE3, "client");
    DataNodeWrites.accessChecked(null, PEER);
    DataNodeWrites.receiveBegins(dataNode, replica);
    // The block could not be received, and the operation throws.
    DataNodeWrites.receiveEnds(replica);
    DataNodeWrites.finishWrite();
    Admission other =
        DataNodePolicy.of(conf).admit(BE3, new DataNodeRequest("other", null, "/10.0.0.1:1"), true);
    assertFalse(other.isCapped());
    other.release();
  }

  @Test
  void anErrorAtTheEndKeepsNeitherPlaceNorPriority() throws IOException {
    setCap("<cap class='be' concurrent='1'/>");
    begin(BE3, "client");
    DataNodeWrites.accessChecked(null, PEER);
    DataNodeWrites.receiveBegins(dataNode, replica);
    Replica broken =
        new FinalizedReplica(new Block(1, BYTES, 1), null, null) {
          @Override
          public long getNumBytes() {
            throw new OutOfMemoryError();
          }
        };
    assertThrows(OutOfMemoryError.class, () -> DataNodeWrites.receiveEnds(broken));
    DataNodeWrites.finishWrite();
    assertNull(ThreadIoPriority.applied());
    Admission other =
        DataNodePolicy.of(conf).admit(BE3, new DataNodeRequest("other", null, "/10.0.0.1:1"), true);
    assertFalse(other.isCapped());
    other.release();
  }

  @Test
  void aReplicaFromAnotherDataNodeHasThePriorityOfItsRole() {
    conf.set("dfs.datanode.io.priority.rules", "client=.* => idle");
    conf.set("dfs.datanode.io.priority.roles", "re-replication=be:6, ec-reconstruction=be:5");
    assertEquals(IoPriority.IDLE, write(null, "client"));
    assertEquals(IoPriority.bestEffort(6), write(null, ""));
    assertEquals(IoPriority.bestEffort(6), write(BE3, ""), "whatever the sender states");
    Hint reconstructed = Hint.of(BE3, IoRole.EC_RECONSTRUCTION);
    assertEquals(IoPriority.bestEffort(5), writeStating(reconstructed, ""));
  }

  @Test
  void aReplicaThatTheBalancerMovesHasThePriorityOfItsRole() {
    ClassMetrics moved = PriorityMetrics.roles(IoRole.BALANCER, IoClass.IDLE);
    long requests = moved.requests().sum();
    conf.set("dfs.datanode.io.priority.roles", "balancer=idle");
    DataNodeWrites.receiveBegins(dataNode, replica);
    assertEquals(IoPriority.IDLE, ThreadIoPriority.applied());
    DataNodeWrites.receiveEnds(replica);
    assertEquals(requests + 1, moved.requests().sum());
  }

  @Test
  void aRoleWithoutAPriorityIsLeftAlone() {
    conf.set("dfs.datanode.io.priority.roles", "none");
    assertNull(write(null, ""));
    DataNodeWrites.receiveBegins(dataNode, replica);
    assertNull(ThreadIoPriority.applied());
    DataNodeWrites.receiveEnds(replica);
  }

  @Test
  void dataIsWrittenBackOnlyForWritesWithAPriority() throws IOException {
    Path file = directory.resolve("block");
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      out.write(new byte[2 << 20]);
      DataNodeWrites.written(out.getFD(), 2 << 20);
      begin(BE3, "client");
      DataNodeWrites.accessChecked(null, PEER);
      DataNodeWrites.receiveBegins(dataNode, replica);
      DataNodeWrites.written(out.getFD(), 2 << 20);
      DataNodeWrites.written(null, 4 << 20);
      DataNodeWrites.receiveEnds(replica);
      DataNodeWrites.written(out.getFD(), 8 << 20);
      DataNodeWrites.finishWrite();
    }
    assertEquals(2 << 20, Files.size(file));
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
  void aWriteIsStockWhileItIsOffAlsoOneInProgress() throws MalformedPriorityException {
    begin(BE3, "client");
    DataNodeWrites.accessChecked(null, PEER);
    DataNodeWrites.receiveBegins(dataNode, replica);
    assertEquals(BE3, ThreadIoPriority.applied());
    try (SwitchedOff off = SwitchedOff.all()) {
      DataNodeWrites.written(null, 1);
      assertNull(ThreadIoPriority.applied());
      assertNull(sentOn());
      DataNodeWrites.receiveEnds(replica);
      DataNodeWrites.finishWrite();
      assertNull(write(BE3, "client"));
    }
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "off");
    begin(BE3, "client");
    DataNodeWrites.accessChecked(null, PEER);
    assertNull(sentOn());
    DataNodeWrites.finishWrite();
  }

  @Test
  void aWriteThatIsObservedIsStockAndCounted() throws MalformedPriorityException {
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "observe");
    ClassMetrics granted = PriorityMetrics.writes(IoClass.BEST_EFFORT);
    long requests = granted.requests().sum();
    begin(BE3, "client");
    DataNodeWrites.accessChecked(null, PEER);
    assertNull(sentOn());
    DataNodeWrites.receiveBegins(dataNode, replica);
    assertNull(ThreadIoPriority.applied());
    DataNodeWrites.receiveEnds(replica);
    DataNodeWrites.finishWrite();
    assertEquals(requests + 1, granted.requests().sum());
  }

  @Test
  void thePatienceOfTheClientGoesOn() throws MalformedPriorityException {
    Hint hint = Hint.of(BE3, null).patientFor(5_000);
    ParsedPriority.operationParsed(PriorityField.write(operation(), hint));
    DataNodeWrites.writeBegins(conf, "client", false);
    DataNodeWrites.accessChecked(null, PEER);
    Hint sentOn = PriorityField.read(ClientReads.stamp(Op.WRITE_BLOCK, operation()));
    assertEquals(5_000, sentOn.patienceMillis());
    assertEquals(BE3, sentOn.priority());
    DataNodeWrites.finishWrite();
  }
}
