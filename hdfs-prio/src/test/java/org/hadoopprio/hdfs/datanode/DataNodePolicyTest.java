// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoPriority;
import org.hadoopprio.log.FailingTrace;
import org.hadoopprio.log.LoggedLines;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.policy.AuditLog;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.RequestKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataNodePolicyTest {

  @TempDir private Path directory;

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
    return granted(policy.admit(asked, request, true));
  }

  private static IoPriority granted(Admission admission) {
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
  void grantsFromTheAuditedPriorityOnAreLogged() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.io.priority.highest", "rt:2");
    DataNodePolicy policy = DataNodePolicy.of(conf);
    try (LoggedLines lines = LoggedLines.of(AuditLog.LOGGER)) {
      grant(policy, IoPriority.realtime(5), REQUEST);
      assertEquals(List.of(), lines.all());
      DataNodePolicy.reconfigure(conf, DataNodeKeys.AUDIT, "rt:7");
      grant(policy, IoPriority.realtime(5), REQUEST);
      grant(policy, IoPriority.IDLE, REQUEST);
      grant(policy, null, REQUEST);
      grant(policy, IoPriority.realtime(0), REQUEST);
      assertEquals(
          List.of(
              "count=1 outcome=granted asked=rt:5 granted=rt:5 address=10.0.0.1 user=unknown"
                  + " because=no rule",
              "count=1 outcome=lowered asked=rt:0 granted=rt:2 address=10.0.0.1 user=unknown"
                  + " because=no rule"),
          lines.all());
    }
  }

  /** Whoever is lowered or rejected and then meets a cap has been lowered or rejected. */
  @ParameterizedTest
  @CsvSource({
    "log,    rt:0, be:7, lowered",
    "log,    be:1, be:7, capped",
    "reject, rt:0, be:7, rejected",
  })
  void theAuditNamesTheRightBeforeTheCap(String mode, String asked, String granted, String outcome)
      throws IOException {
    String file =
        policyFile(
            "<io-priority-policy mode='"
                + mode
                + "'><cap class='be' concurrent='1'/><rule user='*' highest='be:5'/>"
                + "<rule user='joe' highest='be:1'/>");
    DataNodePolicy policy =
        policy(
            "dfs.datanode.io.priority.policy.file", file, "dfs.datanode.io.priority.audit", "rt:7");
    DataNodeRequest joe = DataNodeRequest.local("c", "joe");
    DataNodeRequest asking =
        outcome.equals("rejected") ? REQUEST : DataNodeRequest.local("c", "joe");
    Admission first = policy.admit(IoPriority.bestEffort(1), joe, true);
    try (LoggedLines lines = LoggedLines.of(AuditLog.LOGGER)) {
      assertEquals(IoPriority.parse(granted), grant(policy, IoPriority.parse(asked), asking));
      String begin = "count=1 outcome=" + outcome + " asked=" + asked + " granted=" + granted + " ";
      assertEquals(1, lines.all().size(), lines.all()::toString);
      assertTrue(lines.all().get(0).startsWith(begin), lines.all().get(0));
    } finally {
      first.release();
    }
  }

  @Test
  void anAuditThatFailsGivesThePlaceBack() throws IOException {
    String file =
        policyFile(
            "<io-priority-policy><cap class='rt' concurrent='1'/><rule user='*' highest='rt:0'/>");
    DataNodePolicy policy =
        policy(
            "dfs.datanode.io.priority.policy.file", file, "dfs.datanode.io.priority.audit", "rt:7");
    IoPriority rt0 = IoPriority.realtime(0);
    for (Throwable failure :
        new Throwable[] {new IllegalStateException("test"), new OutOfMemoryError("test")}) {
      try (FailingTrace disk = FailingTrace.of(AuditLog.LOGGER, 1, failure)) {
        DataNodeRequest request = DataNodeRequest.local("c", "u" + failure.getClass());
        assertSame(failure, assertThrows(Throwable.class, () -> policy.admit(rt0, request, true)));
      }
      assertEquals(rt0, grant(policy, rt0, REQUEST));
    }
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
    assertNull(grant(policy, null, REQUEST));
    assertEquals(IoPriority.bestEffort(0), grant(policy, IoPriority.realtime(0), REQUEST));
  }

  /** Who may have real-time only with a target gets none where nobody heeds the target. */
  @ParameterizedTest
  @CsvSource({
    // highest, asked -> granted
    "rt:0@100ms, rt:0@100ms, be:0, 1",
    "rt:0@100ms, rt:0, be:0, 1",
    "rt:3@100ms, rt:5@2s, be:0, 1",
    "rt:0@100ms, be:2@50ms, be:2, 0",
    "rt:0@100ms, be:2, be:2, 0",
    "rt:0, rt:1@100ms, rt:1, 0",
    "be:0@100ms, be:1@200ms, be:1, 0",
    "be:4@100ms, rt:0@100ms, be:4, 1",
  })
  void aTargetThatNobodyHeedsGivesNoRealtime(
      String highest, String asked, String granted, int clamped) {
    DataNodePolicy policy = policy("dfs.datanode.io.priority.highest", highest);
    long before = PriorityMetrics.CLAMPED.sum();
    assertEquals(
        IoPriority.parse(granted), granted(policy.admit(IoPriority.parse(asked), REQUEST, false)));
    assertEquals(clamped, PriorityMetrics.CLAMPED.sum() - before);
  }

  /** Whatever a request states, or does not: the lesser of that, or of normal, and the highest. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // highest, mode, asked -> granted
        "idle, log,    -,    idle",
        "idle, log,    none, idle",
        "idle, log,    rt:0, idle",
        "idle, reject, -,    idle",
        "idle, reject, none, idle",
        "idle, reject, rt:0, idle",
        "be:6, reject, -,    be:6",
        "be:6, reject, be:0, be:6",
        "be:6, reject, be:7, be:7",
        "be:6@50ms, log, -,  be:6",
        "be:4, reject, -,    -",
        "be:4, reject, none, -",
        "be:4, reject, rt:0, -",
        "none, log,    rt:0, -",
        "rt:0, reject, -,    -",
      })
  void aHighestBelowNormalBindsEverybody(String highest, String mode, String asked, String granted)
      throws IOException {
    IoPriority wanted = asked == null ? null : IoPriority.parse(asked);
    IoPriority expected = granted == null ? null : IoPriority.parse(granted);
    String file =
        policyFile(
            "<io-priority-policy mode='" + mode + "'><rule user='*' highest='" + highest + "'/>");
    long ruled = PriorityMetrics.RULED.sum();
    assertEquals(
        expected, grant(policy("dfs.datanode.io.priority.policy.file", file), wanted, REQUEST));
    boolean isUnasked = wanted == null || wanted.isNone();
    assertEquals(isUnasked && granted != null ? 1 : 0, PriorityMetrics.RULED.sum() - ruled);
    if (mode.equals("log")) {
      assertEquals(
          expected, grant(policy("dfs.datanode.io.priority.highest", highest), wanted, REQUEST));
    }
  }

  @Test
  void aRulesPriorityIsLoweredToo() throws IOException {
    String file = policyFile("<io-priority-policy><rule user='*' highest='be:6'/>");
    DataNodePolicy policy =
        policy(
            "dfs.datanode.io.priority.rules",
            "client=c => none; client=d => be:2",
            "dfs.datanode.io.priority.policy.file",
            file);
    long ruled = PriorityMetrics.RULED.sum();
    assertEquals(IoPriority.bestEffort(6), grant(policy, null, REQUEST));
    assertEquals(
        IoPriority.bestEffort(6),
        grant(policy, null, new DataNodeRequest("d", null, "/10.0.0.1:1")));
    assertEquals(ruled + 2, PriorityMetrics.RULED.sum(), "each once");
  }

  /** Who would have been limited by the file must not gain from its mistake. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // highest, asked -> granted
        "rt:0, rt:0, -",
        "rt:0, be:0, -",
        "rt:0, -,    -",
        "rt:0, be:7, be:7",
        "rt:0, idle, idle",
        "idle, be:0, idle",
        "idle, -,    idle",
      })
  void aFileThatCannotBeUsedAtTheStartLiftsNobodyAboveNormal(
      String highest, String asked, String granted) throws IOException {
    DataNodePolicy policy =
        policy(
            "dfs.datanode.io.priority.highest",
            highest,
            "dfs.datanode.io.priority.policy.file",
            policyFile("<io-priority-policy><oops/>"));
    assertEquals(
        granted == null ? null : IoPriority.parse(granted),
        grant(policy, asked == null ? null : IoPriority.parse(asked), REQUEST));
  }

  private String policyFile(String start) throws IOException {
    return Files.writeString(directory.resolve("policy.xml"), start + "</io-priority-policy>")
        .toAbsolutePath()
        .toString();
  }

  /** Anybody can write a name that looks like another line of the log, or fills the disk. */
  @Test
  void namesInMessagesArePrintableAndShort() {
    DataNodeRequest request =
        DataNodeRequest.local("c\n2026-11-25 ERROR" + "x".repeat(1 << 20), "u\nv");
    IoPriority rt0 = IoPriority.realtime(0);
    Decision decision = AccessPolicy.NONE.decide(rt0, IoPriority.bestEffort(0), request);
    String message = DataNodePolicy.excess(rt0, false, decision, request);
    assertTrue(message.startsWith("Client c?2026-11-25 ERRORxxx"), message);
    assertTrue(
        message.endsWith(
            "xxx... of user u?v at 127.0.0.1 asked for rt:0, granted be:0;"
                + " dfs.datanode.io.priority.highest is be:0"),
        message);
    assertTrue(message.length() < 400, message.length() + " characters");
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

  @Test
  void aRulesDefaultIsForRequestsThatStateNothing() throws IOException {
    DataNodePolicy policy =
        policy(
            "dfs.datanode.io.priority.policy.file",
            policyFile(
                "<io-priority-policy><rule user='joe' operation='read' highest='be:0'"
                    + " default='be:6'/>"));
    DataNodeRequest read = DataNodeRequest.local("c", "joe");
    read.states(RequestKind.READ, null);
    long ruled = PriorityMetrics.RULED.sum();
    assertEquals(IoPriority.bestEffort(6), grant(policy, null, read));
    assertEquals(ruled + 1, PriorityMetrics.RULED.sum());
    assertEquals(IoPriority.bestEffort(2), grant(policy, IoPriority.bestEffort(2), read));
    assertNull(grant(policy, IoPriority.NONE, read), "none is a statement");
    DataNodeRequest write = DataNodeRequest.local("c", "joe");
    write.states(RequestKind.WRITE, null);
    assertNull(grant(policy, null, write));
  }

  @Test
  void aTenantIsBelievedOfThoseWhoMayNameIt() throws IOException {
    DataNodePolicy policy =
        policy(
            "dfs.datanode.io.priority.policy.file",
            policyFile(
                "<io-priority-policy><tenant name='a'/><tenant name='b'/>"
                    + "<rule user='hbase' highest='rt:0' tenant='a' on-behalf-of='*'/>"
                    + "<rule user='joe' highest='be:0' tenant='b'/>"));
    long refused = PriorityMetrics.TENANTS_REFUSED.sum();
    DataNodeRequest hbase = DataNodeRequest.local("c", "hbase");
    hbase.states(RequestKind.READ, "b");
    grant(policy, null, hbase);
    assertEquals("b", hbase.tenant().name());
    assertEquals(refused, PriorityMetrics.TENANTS_REFUSED.sum());
    DataNodeRequest joe = DataNodeRequest.local("c", "joe");
    joe.states(RequestKind.READ, "a");
    grant(policy, null, joe);
    assertEquals("b", joe.tenant().name());
    assertEquals(refused + 1, PriorityMetrics.TENANTS_REFUSED.sum());
  }
}
