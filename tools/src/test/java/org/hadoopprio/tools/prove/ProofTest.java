// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.IoPriority;
import org.hadoopprio.tools.trace.BlockTraceEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each hop at which a Get can stop. All begin with a Get at rt:0 that has been read at be:4. */
class ProofTest {

  private static final String VOLUME = "/data/1";

  private final ObjectNode regionServer = JsonNodeFactory.instance.objectNode();
  private final ObjectNode dataNode = JsonNodeFactory.instance.objectNode();
  private final Proof.Evidence seen = new Proof.Evidence();

  @BeforeEach
  void aGetThatPassesAllHops() {
    regionServer.put("Off", "").put("Asked", 1).put("Stamped", 1);
    dataNode.put("Off", "").put("Asked", 1).put("GrantedRealtime", 1);
    dataNode.put("ThreadPriorityUnavailable", "");
    dataNode.putArray("Volumes").addObject().put("volume", "/data/10").put("mode", "off");
    dataNode.withArray("Volumes").addObject();
    volume().put("volume", VOLUME).put("mode", "turns").put("device", "sdb");
    seen.asked = IoPriority.realtime(0);
    seen.client = "Get of row r of t at rt:0: 1 cell in 9.0 ms";
    seen.handlers = "real-time calls have handlers of their own";
    seen.places = "f/1 in blk_1 on " + VOLUME;
    seen.volumes = List.of(VOLUME);
    seen.showsPriorities = true;
    seen.sender = event -> "DataNode 42 " + event.comm();
    read("be,0,4");
  }

  private ObjectNode volume() {
    return (ObjectNode) dataNode.withArray("Volumes").get(1);
  }

  /** The priorities of the disk's reads. */
  private void read(String... priorities) {
    seen.requests =
        Stream.of(priorities)
            .map(
                priority ->
                    " x-43 [001] ..... 1.5: block_rq_issue: 8,16 R 65536 () 72 + 128"
                        + priority.replaceFirst("(.+)", " $1")
                        + " [DataXceiver for]")
            .map(line -> BlockTraceEvent.parse(line).orElseThrow())
            .collect(Collectors.toList());
  }

  /** What was read at the disk all the same is a proof, or a refutation. */
  @Test
  void aStoreFileThatWasCompactedAwayShowsNothing() {
    seen.otherFiles = true;
    read();
    assertCannotBeTold("store-files", "was compacted away");
    read("rt,0,0");
    assertProven("proven: the Get reached the disk at rt:0");
  }

  /** The row has a store file on each. */
  @Test
  void eachVolumeThatWasReadCounts() {
    read("rt,0,0", "rt,0,0");
    assertProven("proven: the Get reached the disk at rt:0");
    seen.volumes = List.of(VOLUME, "/data/10");
    assertStops("datanode", "volume /data/10 on ");
  }

  /** In place of a proof, and of each refutation. */
  @ParameterizedTest
  @CsvSource({"rt,true", "be,true", "rt,false"})
  void aTraceThatHasLostEventsShowsNothing(String ioClass, boolean agent) {
    seen.lostEvents = 3;
    read(ioClass + ",0,0");
    seen.dataNode = agent ? null : noAgent();
    assertCannotBeTold("block-layer", "3 events of the block trace are lost");
  }

  private static AgentCounters counters(JsonNode after) {
    // A daemon that has served others before.
    ObjectNode before = JsonNodeFactory.instance.objectNode();
    JsonNode now = after.deepCopy();
    after
        .fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isInt()) {
                before.put(field.getKey(), 1000);
                ((ObjectNode) now).put(field.getKey(), 1000 + field.getValue().asInt());
              }
            });
    return new AgentCounters(before, now);
  }

  private static AgentCounters noAgent() {
    return new AgentCounters(MissingNode.getInstance(), MissingNode.getInstance());
  }

  private Proof proof() {
    if (seen.regionServer == null) {
      seen.regionServer = counters(regionServer);
    }
    if (seen.dataNode == null) {
      seen.dataNode = counters(dataNode);
    }
    return new Proof(seen);
  }

  private void assertStops(String hop, String why) {
    Proof proof = proof();
    String said = proof.toText();
    String verdict = said.substring(said.lastIndexOf("stopped at"));
    assertTrue(verdict.startsWith("stopped at hop " + hop + ": "), said);
    assertTrue(verdict.contains(why), said);
    assertFalse(proof.holds());
    assertFalse(proof.isUndecided());
  }

  private void assertCannotBeTold(String hop, String why) {
    Proof proof = proof();
    String said = proof.toText();
    String verdict = said.substring(said.lastIndexOf("cannot be told"));
    assertTrue(verdict.startsWith("cannot be told, at hop " + hop + ": "), said);
    assertTrue(verdict.contains(why), said);
    assertTrue(proof.isUndecided());
    assertFalse(proof.holds());
  }

  private void assertProven(String verdict) {
    Proof proof = proof();
    String said = proof.toText();
    assertTrue(said.endsWith(System.lineSeparator() + verdict), said);
    assertTrue(proof.holds());
  }

  @Test
  void theRowsBytesWereReadAtThePriority() throws IOException {
    read("rt,0,0");
    assertProven("proven: the Get reached the disk at rt:0");
    String expected =
        String.join(
            System.lineSeparator(),
            "ok       hbase-client  Get of row r of t at rt:0: 1 cell in 9.0 ms",
            "ok       store-files   f/1 in blk_1 on /data/1",
            "ok       regionserver  Asked grew by 1; real-time calls have handlers of their own",
            "ok       hdfs-client   Stamped grew by 1: reads sent to a DataNode with a priority",
            "ok       datanode      volume /data/1 on sdb has mode turns; granted 1 at rt",
            "ok       thread        set in the DataNode, none denied or failed",
            "ok       block-layer   1 read, 65536 bytes, at rt,0,0 by DataNode 42 DataXceiver for",
            "proven: the Get reached the disk at rt:0");
    assertEquals(expected, proof().toText());
    JsonNode json = new ObjectMapper().readTree(proof().toJson());
    assertTrue(json.path("proven").asBoolean(), json.toString());
    assertEquals(7, json.path("hops").size(), json.toString());
    assertEquals("", json.path("remedy").asText(), json.toString());
  }

  /** Their requests are in the counters, too. */
  @Test
  void whatOtherClientsDoRefutesNothing() {
    read("rt,0,0");
    regionServer.put("Clamped", 7);
    dataNode.put("Denied", 3).put("Capped", 2);
    assertProven("proven: the Get reached the disk at rt:0");
  }

  /** A stock thread's reads are at be:4, too: what has not grown refutes. */
  @ParameterizedTest
  @CsvSource({
    "Asked, regionserver, its coprocessor is not loaded",
    "Stamped, hdfs-client, its module hdfs-client is not in force"
  })
  void whatStockReadsIsNoProofOfTheRegionServer(String counter, String hop, String why) {
    seen.asked = IoPriority.parse("be:4");
    dataNode.put("GrantedBestEffort", 1);
    regionServer.put(counter, 0);
    assertStops(hop, why);
  }

  @ParameterizedTest
  @CsvSource({"off", "observe"})
  void whatStockReadsIsNoProofOfTheVolume(String mode) {
    seen.asked = IoPriority.parse("be:4");
    dataNode.put("GrantedBestEffort", 1);
    volume().put("mode", mode);
    assertStops("datanode", "has mode " + mode);
  }

  @Test
  void whatStockReadsIsNoProofOfTheGrant() {
    seen.asked = IoPriority.parse("be:4");
    assertStops("datanode", "it has granted no be");
  }

  @Test
  void readsOfOthersAboveAVolumeManagerAreNoProof() {
    seen.located = false;
    read("rt,0,0");
    assertCannotBeTold("block-layer", "not a plain partition");
    read("rt,0,0", "be,0,4");
    assertCannotBeTold("block-layer", "not a plain partition");
  }

  /** Of a Get that has read nothing, what has grown may be of others. */
  @Test
  void whatOthersWereDeniedIsNotOfAGetThatReadNothing() {
    regionServer.put("Clamped", 1);
    dataNode.put("Clamped", 1).put("Denied", 1);
    read();
    assertCannotBeTold("block-layer", "into the page cache meanwhile");
  }

  @Test
  void aPartThatWasReadOtherwiseIsNoProof() {
    read("rt,0,0", "be,0,4");
    assertStops(
        "block-layer", "at be,0,4 by DataNode 42 DataXceiver for; 1 read, 65536 bytes, at rt");
  }

  @ParameterizedTest
  @CsvSource({
    "rt:3, 'rt,0,0', false",
    "rt:3, 'rt,0,3', true",
    "be:1, 'be,0,1', true",
    "be:1, 'rt,0,1', false",
    "idle, 'idle,0,0', true",
    "idle, 'idle,0,7', true",
    "rt:0@50ms, 'rt,3,0', true"
  })
  void classAndLevelMustBeThoseThatWereAsked(String asked, String read, boolean proven) {
    seen.asked = IoPriority.parse(asked);
    dataNode.put("GrantedBestEffort", 1).put("GrantedIdle", 1);
    read(read);
    assertEquals(proven, proof().holds(), proof().toText());
  }

  @Test
  void theRegionServerIsStock() {
    seen.regionServer = noAgent();
    assertStops("regionserver", "the RegionServer does not have the agent");
  }

  @Test
  void theRegionServerIsOff() {
    regionServer.put("Off", "all modules: the file /etc/hadoop-prio/off is there");
    assertStops("regionserver", "is switched off: all modules: the file /etc/hadoop-prio/off");
  }

  @Test
  void theRegionServerObserves() {
    regionServer.put("Observing", true);
    assertStops("regionserver", "observes");
  }

  @Test
  void theRegionServerHasNoCoprocessor() {
    regionServer.put("Asked", 0);
    assertStops("regionserver", "its coprocessor is not loaded");
  }

  @ParameterizedTest
  @CsvSource({"Clamped", "Capped", "Rejected"})
  void theRegionServersPolicyLowersIt(String counter) {
    regionServer.put(counter, 2);
    assertStops(
        "regionserver",
        "the policy of the RegionServer does not allow it: "
            + counter
            + " grew by 2; at the disk: 1 read, 65536 bytes, at be,0,4");
  }

  @Test
  void theRegionServerHasTheRowInMemory() {
    regionServer.put("Stamped", 0);
    read();
    assertCannotBeTold("hdfs-client", "has answered from its memory");
  }

  @Test
  void theRegionServerReadsWithoutAPriority() {
    regionServer.put("Stamped", 0);
    assertStops("hdfs-client", "its module hdfs-client is not in force");
  }

  @Test
  void theDataNodeIsStock() {
    seen.dataNode = noAgent();
    assertStops("datanode", "the DataNode does not have the agent");
  }

  @Test
  void theDataNodeIsOff() {
    dataNode.put("Off", "datanode: the file /etc/hadoop-prio/off names them");
    assertStops("datanode", "the DataNode is switched off: datanode: the file");
  }

  @ParameterizedTest
  @CsvSource({"off", "observe"})
  void theVolumeIsStock(String mode) {
    volume().put("mode", mode).put("reason", "as configured");
    assertStops(
        "datanode", "volume /data/1 on sdb has mode " + mode + " (as configured), in which reads");
  }

  @Test
  void theReadWentToAnotherDataNode() {
    dataNode.put("Asked", 0);
    read();
    assertCannotBeTold(
        "datanode", "the RegionServer has read from another one; at the disk: no request");
  }

  @Test
  void theDataNodesPolicyLowersIt() {
    dataNode.put("Clamped", 1);
    assertStops("datanode", "the policy of the DataNode does not allow it: Clamped grew by 1");
  }

  @Test
  void theDataNodeDidNotLearnTheGroups() {
    dataNode.put("GroupsUnknown", 1);
    assertStops("datanode", "the user's groups in time; repeat it: GroupsUnknown grew by 1");
  }

  @ParameterizedTest
  @CsvSource({"Denied", "Failed"})
  void theThreadHasNotThePriority(String counter) {
    dataNode.put(counter, 1);
    assertStops("thread", "not set the thread's priority as granted: " + counter + " grew by 1");
  }

  @Test
  void theDataNodeCannotSetPriorities() {
    dataNode.put("ThreadPriorityUnavailable", "no JNA");
    assertStops("thread", "the DataNode cannot set a thread's priority: no JNA");
  }

  @Test
  void thePageCacheHadTheRowAgain() {
    read();
    assertCannotBeTold("block-layer", "into the page cache meanwhile");
  }

  @Test
  void theKernelHasAnotherPriority() {
    assertStops("block-layer", "with another priority: 1 read, 65536 bytes, at be,0,4");
    assertTrue(proof().toText().contains("-> docs/runbooks.md"), proof().toText());
  }

  @Test
  void commandsOfAnEngineAreNoProof() {
    ObjectNode engine = dataNode.putArray("Engines").addObject();
    engine.put("volume", VOLUME).put("engine", "ncq").put("reads", 8);
    read();
    assertCannotBeTold("block-layer", "engine ncq sends commands that the block trace does not");
    engine.put("engine", "direct");
    seen.dataNode = null;
    assertCannotBeTold("block-layer", "into the page cache meanwhile");
  }

  @Test
  void anOlderKernelShowsNoPriority() {
    seen.showsPriorities = false;
    read("");
    assertProven(
        "proven to the thread at rt:0: the row was read at the disk, but this kernel does not show"
            + " at which priority (Linux 6.11 and later do)");
    assertTrue(proof().toText().contains("1 read, 65536 bytes, by DataNode 42"), proof().toText());
    dataNode.put("Denied", 1);
    seen.dataNode = null;
    assertStops("thread", "Denied");
  }

  @Test
  void shortCircuitIsReadByTheRegionServer() {
    regionServer.put("Stamped", 0).put("LocalReads", 1).put("GrantedRealtime", 1);
    regionServer.put("ThreadPriorityUnavailable", "");
    dataNode.put("Asked", 0).put("LocalReads", 1);
    read("rt,0,0");
    assertProven("proven: the Get reached the disk at rt:0");
    String said = proof().toText();
    assertTrue(said.contains("reads the block's file itself, in a turn of the DataNode"), said);
    assertTrue(said.contains("set in the RegionServer, none denied"), said);
    read("be,0,0");
    regionServer.put("Denied", 1);
    seen.regionServer = null;
    assertStops("thread", "the RegionServer has not set the thread's priority");
  }

  @Test
  void shortCircuitPassesAStockDataNode() {
    regionServer.put("Stamped", 0).put("GrantedRealtime", 1);
    seen.dataNode = noAgent();
    read("rt,0,0");
    assertProven("proven: the Get reached the disk at rt:0");
    assertTrue(proof().toText().contains("datanode      passed by"), proof().toText());
  }
}
