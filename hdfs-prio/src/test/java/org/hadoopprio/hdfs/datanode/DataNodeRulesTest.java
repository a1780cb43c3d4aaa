// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataNodeRulesTest {

  private static final String TASK = "DFSClient_attempt_1700000000000_0001_m_000000_0_-1_1";

  private static DataNodeRequest request(String client, String peer) {
    return new DataNodeRequest(client, new Token<>(), peer);
  }

  private static DataNodeRequest requestOf(String user) {
    BlockTokenIdentifier id =
        new BlockTokenIdentifier(
            user,
            "BP-1",
            1,
            java.util.EnumSet.of(BlockTokenIdentifier.AccessMode.READ),
            null,
            null,
            false);
    Token<BlockTokenIdentifier> token =
        new Token<>(id.getBytes(), new byte[0], id.getKind(), new Text());
    return new DataNodeRequest("c", token, "/10.0.0.1:1");
  }

  @Test
  void theFirstMatchWins() {
    DataNodeRules rules =
        DataNodeRules.parse(
            "client=DFSClient_attempt_.*_r_.* => be:6; client=DFSClient_attempt_.* => be:7;"
                + "client=.* => idle");
    assertEquals(IoPriority.bestEffort(7), rules.match(request(TASK, "/10.0.0.1:50000")));
    assertEquals(
        IoPriority.bestEffort(6),
        rules.match(request(TASK.replace("_m_", "_r_"), "/10.0.0.1:50000")));
    assertEquals(IoPriority.IDLE, rules.match(request("other", "/10.0.0.1:50000")));
  }

  @Test
  void aPatternMustMatchTheWhole() {
    assertNull(DataNodeRules.parse("client=DFSClient => idle").match(request(TASK, "/h:1")));
  }

  @Test
  void allConditionsMustHold() {
    DataNodeRules rules = DataNodeRules.parse("client=c address=10\\.0\\.0\\..* => idle");
    assertEquals(IoPriority.IDLE, rules.match(request("c", "/10.0.0.7:4242")));
    assertNull(rules.match(request("c", "/10.0.1.7:4242")));
    assertNull(rules.match(request("d", "/10.0.0.7:4242")));
  }

  @ParameterizedTest
  @CsvSource({
    "::1, /[0:0:0:0:0:0:0:1]:50010",
    "::1, /0:0:0:0:0:0:0:1:50010",
    "0:0:0:0:0:0:0:1, host/[0:0:0:0:0:0:0:1]:50010",
    "2001:db8::.*, /[2001:db8:0:0:0:0:0:7]:1",
    "2001:DB8::7, /[2001:db8:0:0:0:0:0:7]:1",
    "fe80::1, /[fe80:0:0:0:0:0:0:1%eth0]:1"
  })
  void anIpv6PeerMatchesAsUsersWriteIt(String address, String peer) {
    DataNodeRules rules = DataNodeRules.parse("address=" + address + " => idle");
    assertEquals(IoPriority.IDLE, rules.match(request("c", peer)));
    assertNull(rules.match(request("c", "/[2001:db9:0:0:0:0:0:7]:1")));
  }

  @Test
  void theUserIsTheBlockTokens() {
    DataNodeRules rules = DataNodeRules.parse("user=etl.* => idle");
    assertEquals(IoPriority.IDLE, rules.match(requestOf("etl-nightly")));
    assertNull(rules.match(requestOf("web")));
    assertNull(rules.match(request("etl-nightly", "/10.0.0.1:1")), "no token, no user");
  }

  /** A client chooses its name, and java.util.regex follows each way to match it. */
  @ParameterizedTest
  @ValueSource(strings = {"DFSClient_(attempt|x|_)*y", "DFSClient_(.*)*y", ".*a.*b.*y"})
  @Timeout(30)
  void noNameTakesLong(String pattern) {
    DataNodeRules rules = DataNodeRules.parse("client=" + pattern + " => be:7");
    assertNull(rules.match(request("DFSClient_" + "attempt_".repeat(10_000), "/h:1")));
  }

  @Test
  void emptyMeansNoRules() {
    assertNull(DataNodeRules.parse(" ; ").match(new DataNodeRequest("c", null, null)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "idle",
        "=> idle",
        "client=x",
        "client=x => turbo",
        "client=x => rt:9",
        "klient=x => idle",
        "client=x client=y => idle",
        "client=[ => idle",
        "x => idle",
        "client=x => idle => be:9",
        "user=hbase/h@R => idle",
        "user=etl@R => idle",
        "address=10.0.0.0/8 => idle",
        "address=[::1] => idle",
        "address=\\[fe80::1\\] => idle"
      })
  void malformedRulesAreRefusedNamingTheRule(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> DataNodeRules.parse(text));
    assertTrue(e.getMessage().contains(text), e.getMessage());
  }

  /** Such a rule may match, and one that is refused would take all others with it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "user=[^@]+ => idle",
        "user=(etl|etl@R) => idle",
        "address=(10\\..*|/10\\..*) => idle"
      })
  void anExpressionThatMayMatchIsAccepted(String text) {
    assertDoesNotThrow(() -> DataNodeRules.parse(text));
  }
}
