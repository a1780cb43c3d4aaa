package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Admission;
import org.junit.jupiter.api.Test;

class DataNodePolicyTest {

  private static final DataNodeRequest REQUEST = new DataNodeRequest("c", null, "/10.0.0.1:1");

  private static DataNodePolicy policy(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return DataNodePolicy.of(conf);
  }

  private static IoPriority grant(
      DataNodePolicy policy, IoPriority asked, DataNodeRequest request) {
    Admission admission = policy.admit(asked, request);
    if (admission == null) {
      return null;
    }
    admission.release();
    return admission.priority();
  }

  @Test
  void realtimeIsNotGrantedByDefault() {
    long before = PriorityMetrics.CLAMPED.sum();
    assertEquals(IoPriority.bestEffort(0), grant(policy(), IoPriority.realtime(0), REQUEST));
    assertEquals(before + 1, PriorityMetrics.CLAMPED.sum());
    assertEquals(IoPriority.IDLE, grant(policy(), IoPriority.IDLE, REQUEST));
    assertEquals(before + 1, PriorityMetrics.CLAMPED.sum());
  }

  @Test
  void realtimeIsGrantedWhereAllowed() {
    DataNodePolicy policy = policy("dfs.datanode.io.priority.highest", "rt:2");
    assertEquals(IoPriority.realtime(2), grant(policy, IoPriority.realtime(0), REQUEST));
    assertEquals(IoPriority.realtime(5), grant(policy, IoPriority.realtime(5), REQUEST));
  }

  @Test
  void nothingAskedNothingGiven() {
    assertNull(grant(policy(), null, REQUEST));
    assertNull(grant(policy(), IoPriority.NONE, REQUEST));
  }

  @Test
  void rulesAreForRequestsWithoutAPriorityAndAreCappedToo() {
    DataNodePolicy policy = policy("dfs.datanode.io.priority.rules", "client=c => rt:0");
    assertEquals(IoPriority.bestEffort(0), grant(policy, null, REQUEST));
    assertEquals(IoPriority.IDLE, grant(policy, IoPriority.IDLE, REQUEST));
    assertNull(grant(policy, IoPriority.NONE, REQUEST), "an explicit none is not for the rules");
  }

  @Test
  void emptyKeysAreTheirDefaults() {
    DataNodePolicy policy =
        policy("dfs.datanode.io.priority.highest", "", "dfs.datanode.io.priority.rules", " ");
    assertEquals(IoPriority.bestEffort(0), grant(policy, IoPriority.realtime(0), REQUEST));
    assertNull(grant(policy, null, REQUEST));
  }

  @Test
  void malformedKeysFallBackToTheirDefaults() {
    DataNodePolicy policy =
        policy(
            "dfs.datanode.io.priority.highest", "turbo",
            "dfs.datanode.io.priority.rules", "nonsense");
    assertFalse(policy.hasRules());
    assertEquals(IoPriority.bestEffort(0), grant(policy, IoPriority.realtime(0), REQUEST));
  }

  /** Under the default configuration each request for real-time is one for too much. */
  @Test
  void aTokenIsDecodedOnlyForARuleOrForALineThatIsLogged() throws IOException {
    AtomicInteger decoded = new AtomicInteger();
    BlockTokenIdentifier alice =
        new BlockTokenIdentifier(
            "alice",
            "BP-1",
            1,
            EnumSet.of(BlockTokenIdentifier.AccessMode.READ),
            null,
            null,
            false);
    Token<BlockTokenIdentifier> token =
        new Token<BlockTokenIdentifier>(
            alice.getBytes(), new byte[0], alice.getKind(), new Text()) {
          @Override
          public BlockTokenIdentifier decodeIdentifier() throws IOException {
            decoded.incrementAndGet();
            return super.decodeIdentifier();
          }
        };
    DataNodePolicy byKey = policy();
    long clamped = PriorityMetrics.CLAMPED.sum();
    for (int i = 0; i < 100; i++) {
      grant(byKey, IoPriority.realtime(0), new DataNodeRequest("c", token, "/10.0.0.1:1"));
    }
    assertEquals(clamped + 100, PriorityMetrics.CLAMPED.sum());
    assertTrue(decoded.get() <= 1, decoded + " times");

    decoded.set(0);
    DataNodePolicy byUser = policy("dfs.datanode.io.priority.rules", "user=alice => idle");
    DataNodeRequest request = new DataNodeRequest("c", token, "/10.0.0.1:1");
    assertEquals(IoPriority.bestEffort(1), grant(byUser, IoPriority.bestEffort(1), request));
    assertEquals(0, decoded.get(), "rules are for requests without a priority");
    assertEquals(IoPriority.IDLE, grant(byUser, null, request));
    assertEquals(1, decoded.get());
  }
}
