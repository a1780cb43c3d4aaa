// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.CachingStrategyProto;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.GroupMappingServiceProvider;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.config.DataNodeReconfiguration;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The group mapping may take seconds. Nobody waits for it where all is stock, and for a moment only
 * elsewhere.
 */
class SlowGroupsTest {

  private static final String PEER = "/127.0.0.1:1";

  @TempDir private Path directory;

  private final Configuration conf = new Configuration(false);
  private final Replica replica = new FinalizedReplica(new Block(1, 1, 1), null, null);
  private DataNode dataNode;

  /** The threads of reads. */
  private final Set<Thread> reading = ConcurrentHashMap.newKeySet();

  /**
   * Everybody's group is "people", or "urgent", or there is none. It hangs for some. Public for
   * Hadoop, which makes it.
   */
  public static final class Mapping implements GroupMappingServiceProvider {

    private static final Set<Thread> ASKING = ConcurrentHashMap.newKeySet();
    private static volatile CountDownLatch answer = new CountDownLatch(0);

    @Override
    public List<String> getGroups(String user) {
      ASKING.add(Thread.currentThread());
      if (user.startsWith("slow")) {
        try {
          answer.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      if (user.startsWith("nobody")) {
        return List.of();
      }
      return List.of(user.endsWith("urgent") ? "urgent" : "people");
    }

    @Override
    public Set<String> getGroupsSet(String user) {
      return Set.copyOf(getGroups(user));
    }

    @Override
    public void cacheGroupsRefresh() {}

    @Override
    public void cacheGroupsAdd(List<String> groups) {}
  }

  @BeforeEach
  void begin() throws IOException, ReflectiveOperationException {
    Need.THREAD_PRIORITIES.require(Optional.ofNullable(ThreadIoPriority.unavailableReason()));
    Configuration mapped = new Configuration();
    mapped.setClass(
        CommonConfigurationKeys.HADOOP_SECURITY_GROUP_MAPPING,
        Mapping.class,
        GroupMappingServiceProvider.class);
    use(mapped);
    Mapping.ASKING.clear();
    Path policy =
        Files.writeString(
            directory.resolve("policy.xml"),
            "<io-priority-policy><rule group='people' highest='be:6'/>"
                + "<rule group='urgent' highest='rt:0'/>"
                + "<rule user='slow by name' highest='be:1'/></io-priority-policy>");
    conf.set("dfs.datanode.io.priority.policy.file", policy.toAbsolutePath().toString());
    conf.set("dfs.datanode.io.priority.scheduler", "observe");
    dataNode = UnstartedDataNode.of(conf);
  }

  @AfterEach
  void end() {
    Mapping.answer.countDown();
    use(new Configuration());
  }

  private static void use(Configuration mapped) {
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(mapped);
    UserGroupInformation.setConfiguration(mapped);
  }

  private static void parse(String asked) {
    IoPriority priority = asked == null ? null : IoPriority.parse(asked);
    ParsedPriority.operationParsed(
        PriorityField.write(CachingStrategyProto.getDefaultInstance(), Hint.of(priority, null)));
  }

  private static Token<BlockTokenIdentifier> tokenOf(String user) {
    BlockTokenIdentifier id =
        new BlockTokenIdentifier(
            user, "BP-1", 1, EnumSet.of(BlockTokenIdentifier.AccessMode.READ), null, null, false);
    return new Token<>(id.getBytes(), new byte[0], id.getKind(), new Text());
  }

  private void read(String user, String asked) {
    parse(asked);
    DataNodeReads.readBegins("client", 0, 1, true, true);
    DataNodeReads.accessChecked(dataNode, new ExtendedBlock("BP-1", 1), tokenOf(user), PEER);
    DataNodeReads.finishRead();
  }

  private void write(String user) {
    parse("be:0");
    DataNodeWrites.writeBegins(conf, "client", true);
    DataNodeWrites.accessChecked(tokenOf(user), PEER);
    DataNodeWrites.receiveBegins(dataNode, replica);
    DataNodeWrites.receiveEnds(replica);
    DataNodeWrites.finishWrite();
  }

  private static long decisions() {
    return PriorityMetrics.ASKED.sum()
        + PriorityMetrics.CLAMPED.sum()
        + PriorityMetrics.RULED.sum();
  }

  /** How often a decision is counted until it is the first time. */
  private static long firstCounted(Runnable request) {
    long before = decisions();
    soon("a decision is counted")
        .pollInSameThread()
        .until(
            () -> {
              request.run();
              return decisions() != before;
            });
    return decisions() - before;
  }

  @Test
  void whatIsObservedCountsWhenTheGroupsAreKnown() {
    assertEquals(2, firstCounted(() -> read("ann", "be:0")), "asked and lowered");
    assertEquals(1, firstCounted(() -> read("joe", "none")), "lowered by a rule");
    assertEquals(2, firstCounted(() -> write("zoe")));
    assertFalse(Mapping.ASKING.contains(Thread.currentThread()));
  }

  /** Or the operator would learn of them when their grants are lost. */
  @Test
  void whatIsObservedOfUsersWithoutGroupsCounts() {
    Mapping.answer = new CountDownLatch(1);
    long unknown = PriorityMetrics.GROUPS_UNKNOWN.sum();
    long before = decisions();
    read("slow, observed", "be:0");
    write("slow, observed too");
    assertEquals(unknown, PriorityMetrics.GROUPS_UNKNOWN.sum(), "may be known in a moment");
    soon("the groups are found out to be unknown")
        .until(
            () -> {
              read("nobody", "be:0");
              return PriorityMetrics.GROUPS_UNKNOWN.sum() != unknown;
            });
    read("nobody", "none");
    write("nobody");
    assertEquals(unknown + 3, PriorityMetrics.GROUPS_UNKNOWN.sum());
    assertEquals(before, decisions());
  }

  /** The priority that a read of a DataNode which does not observe is done at. */
  private IoPriority granted(String user, String asked) {
    return assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          reading.add(Thread.currentThread());
          parse(asked);
          DataNodeReads.readBegins("client", 0, 1, true, true);
          try {
            DataNodeReads.accessChecked(
                dataNode, new ExtendedBlock("BP-1", 1), tokenOf(user), PEER);
            return ThreadIoPriority.applied();
          } finally {
            DataNodeReads.finishRead();
          }
        });
  }

  private void assertSoon(IoPriority expected, String user, String asked) {
    soon("the grant of " + user).untilAsserted(() -> assertEquals(expected, granted(user, asked)));
  }

  @Test
  void aMappingThatHangsKeepsNobodyWaiting() {
    DataNodeReconfiguration.change(conf, "dfs.datanode.io.priority.scheduler", "order");
    Mapping.answer = new CountDownLatch(1);
    long unknown = PriorityMetrics.GROUPS_UNKNOWN.sum();
    long clamped = PriorityMetrics.CLAMPED.sum();
    assertNull(granted("slow", "be:0"), "stock");
    assertNull(granted("slow, urgent", "rt:0"), "the grant by group is lost");
    assertEquals(IoPriority.IDLE, granted("slow", "idle"), "less than normal is no privilege");
    assertNull(granted("slow", "none"), "the limit by group is lost");
    assertEquals(unknown + 4, PriorityMetrics.GROUPS_UNKNOWN.sum());
    assertEquals(clamped, PriorityMetrics.CLAMPED.sum());
    assertEquals(IoPriority.bestEffort(1), granted("slow by name", "be:0"));
    assertSoon(IoPriority.bestEffort(6), "quick", "be:0");
    assertTrue(Collections.disjoint(Mapping.ASKING, reading));

    Mapping.answer.countDown();
    assertSoon(IoPriority.bestEffort(6), "slow", "be:0");
    assertSoon(IoPriority.bestEffort(6), "slow", "none");
    // Not rt:0, for which the thread needs CAP_SYS_NICE.
    assertSoon(IoPriority.bestEffort(1), "slow, urgent", "be:1");
  }
}
