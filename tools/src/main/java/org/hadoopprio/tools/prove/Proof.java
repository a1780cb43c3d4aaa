// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.tools.node.Finding;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.trace.BlockTraceEvent;

/**
 * What a Get with a priority has left at each hop on its way to the disk, and from that whether it
 * has arrived, where it stopped, or that it cannot be told. The disk's requests are those of the
 * row's own bytes, while counters are of all requests of a daemon: one that has not grown refutes a
 * Get that seems to have arrived, one that has grown only explains one that has not. Not safe for
 * use by several threads.
 */
final class Proof {

  /** What the Get was, and what it met. Not safe for use by several threads. */
  static final class Evidence {

    IoPriority asked;

    /** The Get and its answer, for people. */
    String client;

    /** Which handlers the RegionServer has for it, for people. */
    String handlers;

    AgentCounters regionServer;
    AgentCounters dataNode;

    /** The store files that have the row, and which of them were read, for people. */
    String places;

    /** Whether the region had other store files after the Get than those. */
    boolean otherFiles;

    /**
     * The directories of the volumes from which it was read; if it was not, of all that have it.
     */
    List<String> volumes;

    /** The disk's reads of the row's bytes. */
    List<BlockTraceEvent> requests;

    /** Of the trace: those that are missing may have been the row's. */
    long lostEvents;

    /** Whether it is known where on the disks the row is; else the reads are of any DataNode. */
    boolean located = true;

    /** Whether the kernel shows the priority of a request. */
    boolean showsPriorities;

    /** Who has sent a request, for people. */
    Function<BlockTraceEvent, String> sender;
  }

  private static final String NO_EFFECT =
      "docs/runbooks.md, \"A priority has no effect\", and hprio doctor";
  private static final String NOT_IN_FORCE =
      "docs/runbooks.md, \"The agent is not in force\", and hprio doctor";
  private static final String POLICY =
      "docs/policy.md; hprio policy check FILE --user USER --ask PRIORITY says which rule it is";
  private static final String[] LOWERED = {"Clamped", "Capped", "Rejected"};

  private final Evidence seen;
  private final AgentCounters regionServer;
  private final AgentCounters dataNode;
  private final Report report = new Report();

  /** Whether all of the row's bytes that came from the disk were read at the priority. */
  private final boolean arrived;

  /** Whether the RegionServer reads the block's file itself. */
  private final boolean shortCircuit;

  private String stop = "";
  private String remedy = "";
  private boolean undecided;

  Proof(Evidence seen) {
    this.seen = seen;
    this.regionServer = seen.regionServer;
    this.dataNode = seen.dataNode;
    this.arrived = !seen.requests.isEmpty() && seen.requests.stream().allMatch(this::isAsAsked);
    this.shortCircuit = regionServer.grew("Stamped") == 0 && readLocally() > 0;
    report.ok("hbase-client", "", seen.client);
    report.ok("store-files", "", seen.places);
    if (seen.lostEvents > 0) {
      cannotTell(
          "block-layer",
          seen.lostEvents + " events of the block trace are lost, which may have been the row's",
          "repeat it while less is read and written at the disk");
    } else if (seen.requests.isEmpty() && seen.otherFiles) {
      cannotTell(
          "store-files",
          "a store file was compacted away, or a new one written, so the Get has read others",
          "repeat it");
    } else if (regionServer() && hdfsClient() && dataNode() && thread()) {
      blockLayer();
    } else {
      stop += "; at the disk: " + requests();
    }
  }

  // ---- hops ---------------------------------------------------------------------------------

  private boolean passes(String hop, String text) {
    report.ok(hop, "", text);
    return true;
  }

  private boolean stops(String hop, String text, String whatToDo) {
    report.problem(hop, "", text, whatToDo);
    stop = "stopped at hop " + hop + ": " + text;
    remedy = whatToDo;
    return false;
  }

  /** The Get has shown nothing about its priority. */
  private boolean cannotTell(String hop, String text, String whatToDo) {
    report.problem(hop, "", text, whatToDo);
    undecided = true;
    stop = "cannot be told, at hop " + hop + ": " + text;
    remedy = whatToDo;
    return false;
  }

  /** Whether the agent works in a daemon; if not, the proof ends there. */
  private boolean isInForce(String hop, String daemon, AgentCounters agent) {
    if (!agent.hasAgent()) {
      return stops(hop, "the " + daemon + " does not have the agent", NOT_IN_FORCE);
    }
    if (!arrived && !agent.text("Off").isEmpty()) {
      return stops(
          hop,
          "the " + daemon + " is switched off: " + agent.text("Off"),
          "if it may be on: docs/operations.md, \"Off\"");
    }
    return true;
  }

  private boolean isLowered(String hop, String daemon, AgentCounters agent) {
    String lowered = agent.grown(LOWERED);
    boolean explains = !arrived && (!seen.requests.isEmpty() || lowered.contains("Rejected"));
    if (explains && !lowered.isEmpty()) {
      return !stops(hop, "the policy of the " + daemon + " does not allow it: " + lowered, POLICY);
    }
    String unknown = agent.grown("GroupsUnknown");
    return !arrived
        && !seen.requests.isEmpty()
        && !unknown.isEmpty()
        && !stops(
            hop,
            "the " + daemon + " did not learn the user's groups in time; repeat it: " + unknown,
            POLICY);
  }

  private boolean regionServer() {
    String hop = "regionserver";
    if (!isInForce(hop, "RegionServer", regionServer)) {
      return false;
    }
    if (regionServer.is("Observing")) {
      return stops(
          hop,
          "the RegionServer observes: it counts priorities, and serves calls as stock HBase",
          "hbase.regionserver.io.priority.mode = on; docs/operations.md, \"Observe\"");
    }
    if (isLowered(hop, "RegionServer", regionServer)) {
      return false;
    }
    if (regionServer.grew("Asked") == 0) {
      return stops(
          hop,
          "the RegionServer has seen no operation with a priority: its coprocessor is not loaded",
          "hbase.coprocessor.region.classes; docs/hbase.md");
    }
    return passes(hop, "Asked grew by " + regionServer.grew("Asked") + "; " + seen.handlers);
  }

  private long readLocally() {
    return regionServer.grew("LocalReads", "LocalUnasked")
        + regionServer.granted(seen.asked.ioClass());
  }

  private boolean hdfsClient() {
    String hop = "hdfs-client";
    long sent = regionServer.grew("Stamped");
    if (sent == 0 && !shortCircuit) {
      return seen.requests.isEmpty()
          ? cannotTell(
              hop,
              "the RegionServer has answered from its memory: the row's block is in the block"
                  + " cache, or memstore has newer cells of the row",
              "take a row that nobody has read since its last flush")
          : stops(
              hop,
              "the RegionServer has read from HDFS without a priority: its module hdfs-client is"
                  + " not in force",
              NOT_IN_FORCE);
    }
    if (!shortCircuit) {
      return passes(hop, "Stamped grew by " + sent + ": reads sent to a DataNode with a priority");
    }
    long unasked = regionServer.grew("LocalUnasked");
    return passes(
        hop,
        "short circuit: the RegionServer reads the block's file itself"
            + (unasked > 0
                ? ", and could not ask the DataNode for its turn (LocalUnasked)"
                : regionServer.grew("LocalReads") > 0 ? ", in a turn of the DataNode" : ""));
  }

  private String mode(String volume) {
    return dataNode.ofVolume("Volumes", volume).path("mode").asText("unknown");
  }

  /** For people. */
  private String volume(String volume) {
    JsonNode status = dataNode.ofVolume("Volumes", volume);
    String reason = status.path("reason").asText();
    return "volume "
        + volume
        + " on "
        + status.path("device").asText("a device that is not known")
        + " has mode "
        + mode(volume)
        + (reason.isEmpty() ? "" : " (" + reason + ")");
  }

  private boolean dataNode() {
    String hop = "datanode";
    if (shortCircuit && !dataNode.hasAgent()) {
      return passes(hop, "passed by: it does not have the agent, and lets the RegionServer read");
    }
    if (!isInForce(hop, "DataNode", dataNode)) {
      return false;
    }
    String where = seen.volumes.stream().map(this::volume).collect(Collectors.joining("; "));
    for (String volume : seen.volumes) {
      String mode = mode(volume);
      if (mode.equals("off") || mode.equals("observe")) {
        return stops(
            hop,
            volume(volume) + ", in which reads are those of stock HDFS",
            "dfs.datanode.io.priority.scheduler = turns; docs/operations.md, \"Roll-out\"");
      }
    }
    if (!shortCircuit && dataNode.grew("Asked") == 0) {
      return cannotTell(
          hop,
          "no read with a priority has come to the DataNode of this host: the RegionServer has"
              + " read from another one",
          "repeat it; the RegionServer avoids this DataNode, or it has another replica on its own"
              + " host");
    }
    if (isLowered(hop, "DataNode", dataNode)) {
      return false;
    }
    IoClass ioClass = seen.asked.ioClass();
    long granted = dataNode.granted(ioClass);
    if (!shortCircuit && granted == 0) {
      return stops(hop, where + ", and it has granted no " + ioClass.shortName(), NO_EFFECT);
    }
    return passes(hop, where + "; granted " + granted + " at " + ioClass.shortName());
  }

  private boolean thread() {
    AgentCounters reader = shortCircuit ? regionServer : dataNode;
    String daemon = shortCircuit ? "RegionServer" : "DataNode";
    String unavailable = reader.text("ThreadPriorityUnavailable");
    String failed = reader.grown("Denied", "Failed");
    if (!arrived && !unavailable.isEmpty()) {
      return stops(
          "thread",
          "the " + daemon + " cannot set a thread's priority: " + unavailable,
          "docs/troubleshooting.md, \"The native library\"");
    }
    if (!arrived && !seen.requests.isEmpty() && !failed.isEmpty()) {
      return stops(
          "thread",
          "the " + daemon + " has not set the thread's priority as granted: " + failed,
          NO_EFFECT);
    }
    return passes("thread", "set in the " + daemon + ", none denied or failed");
  }

  private boolean isReadByCommand(String volume) {
    return dataNode.ofVolume("Engines", volume).path("engine").asText().equals("ncq")
        && dataNode.grewOfVolume("Engines", volume, "reads") > 0;
  }

  private void blockLayer() {
    String hop = "block-layer";
    boolean byCommand = seen.volumes.stream().anyMatch(this::isReadByCommand);
    if (byCommand && seen.requests.isEmpty()) {
      cannotTell(
          hop,
          "engine ncq sends commands that the block trace does not have",
          "reads of Engines in JMX has grown: on a node where nobody else reads, that was this Get");
    } else if (!seen.located) {
      cannotTell(
          hop,
          "the volume is not a plain partition, so reads of others look like the row's: "
              + requests(),
          "on LVM, RAID and encrypted volumes the proof ends at the thread; see hprio doctor,"
              + " check volume");
    } else if (!seen.requests.isEmpty()) {
      if (arrived || !seen.showsPriorities) {
        passes(hop, requests());
      } else {
        stops(hop, "the row was read at the disk with another priority: " + requests(), NO_EFFECT);
      }
    } else {
      cannotTell(
          hop,
          "nothing of the row was read at the disk: something else has brought it into the page"
              + " cache meanwhile",
          "repeat it");
    }
  }

  // ---- the disk -----------------------------------------------------------------------------

  private boolean isAsAsked(BlockTraceEvent request) {
    String[] parts = request.priority().orElse("").split(",", -1);
    IoClass ioClass = seen.asked.ioClass();
    return parts.length == 3
        && parts[0].equals(ioClass.shortName())
        && (!ioClass.hasLevels() || parts[2].equals(Integer.toString(seen.asked.level())));
  }

  /** The requests for people: how many and how much of each priority and sender. */
  private String requests() {
    if (seen.requests.isEmpty()) {
      return "no request";
    }
    Map<String, List<BlockTraceEvent>> kinds =
        seen.requests.stream()
            .collect(
                Collectors.groupingBy(
                    r ->
                        (seen.showsPriorities ? "at " + r.priority().orElse("none") + " " : "")
                            + "by "
                            + seen.sender.apply(r),
                    TreeMap::new,
                    Collectors.toList()));
    return kinds.entrySet().stream()
        .map(
            kind ->
                kind.getValue().size()
                    + (kind.getValue().size() == 1 ? " read, " : " reads, ")
                    + kind.getValue().stream().mapToLong(BlockTraceEvent::bytes).sum()
                    + " bytes, "
                    + kind.getKey())
        .collect(Collectors.joining("; "));
  }

  // ---- the verdict --------------------------------------------------------------------------

  boolean holds() {
    return stop.isEmpty();
  }

  /** Whether the Get has shown nothing: it does not hold, and has stopped nowhere. */
  boolean isUndecided() {
    return undecided;
  }

  private String verdict() {
    if (!holds()) {
      return stop;
    }
    return arrived
        ? "proven: the Get reached the disk at " + seen.asked
        : "proven to the thread at "
            + seen.asked
            + ": the row was read at the disk, but this kernel does not show at which priority"
            + " (Linux 6.11 and later do)";
  }

  String toText() {
    String lines =
        report.findings().stream()
            .map(Finding::toString)
            .collect(Collectors.joining(System.lineSeparator()));
    return lines + System.lineSeparator() + verdict();
  }

  String toJson() throws JsonProcessingException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("proven", holds());
    all.put("verdict", verdict());
    all.put("remedy", remedy);
    all.put("hops", report.findings());
    return new ObjectMapper().writeValueAsString(all);
  }
}
