// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hadoopprio.IoPriority;
import org.hadoopprio.tools.node.DaemonPages;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.DataNodeVolumes;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Volume;
import org.hadoopprio.tools.node.WebClient;
import org.hadoopprio.tools.trace.BlockTraceEvent;
import org.hadoopprio.tools.trace.BlockTraceInstance;
import org.hadoopprio.tools.trace.DeviceNumber;

/**
 * One Get with a priority on this host, and what it leaves at each hop. Not safe for use by several
 * threads.
 */
final class GetTrial {

  /** For each processor; some thousand requests, and a Get takes well below a second. */
  private static final int TRACE_KB = 1024;

  private static final String OWN_SCHEDULER = "IoPriorityRpcSchedulerFactory";

  private final Host host;
  private final WebClient web;

  GetTrial(Host host, WebClient web) {
    this.host = host;
    this.web = web;
  }

  /**
   * Gets the row.
   *
   * @param what the row and its table, for people
   * @param trace not started
   * @throws IOException if it cannot be done here, saying what to do
   */
  Proof.Evidence run(ColdRow cold, String what, IoPriority asked, BlockTraceInstance trace)
      throws IOException {
    String server = cold.server().getHostname();
    if (!isHere(server)) {
      throw new IOException("the row is served by " + cold.server() + "; run this command there");
    }
    DaemonPages regionServer = new DaemonPages(cold.webAddress(), web);
    // Clients need not know where HBase's files are; the RegionServer does.
    Configuration served = regionServer.conf();
    String root = served.getTrimmed(HConstants.HBASE_DIR, "");
    if (root.isEmpty()) {
      throw new IOException("the configuration at " + regionServer + "/conf has no hbase.rootdir");
    }
    List<RowPlace> places = cold.places(new org.apache.hadoop.fs.Path(root));
    DaemonPages dataNode = dataNode(places);
    Map<RowPlace, BlockReplica> here = replicas(places, dataNode);
    List<BlockReplica> replicas = List.copyOf(here.values());
    for (BlockReplica replica : replicas) {
      if (!replica.evict()) {
        throw new IOException(
            replica
                + " stays in memory: HDFS caches it (hdfs cacheadmin), or a process has mapped it;"
                + " take another row");
      }
    }
    Set<DeviceNumber> devices =
        replicas.stream().flatMap(r -> r.devices().stream()).collect(Collectors.toSet());
    Proof.Evidence evidence = new Proof.Evidence();
    evidence.asked = asked;
    evidence.handlers = handlers(served);
    evidence.located = replicas.stream().allMatch(BlockReplica::isLocated);
    evidence.showsPriorities = BlockTraceInstance.showsPriorities();
    JsonNode regionServerBefore = AgentCounters.read(regionServer);
    JsonNode dataNodeBefore = AgentCounters.read(dataNode);
    trace.start(devices, TRACE_KB);
    long begun = System.nanoTime();
    String answer = answer(cold, asked);
    double millis = (System.nanoTime() - begun) / 1e6;
    trace.stop();
    evidence.client = String.format("Get of %s at %s: %s in %.1f ms", what, asked, answer, millis);
    evidence.regionServer = new AgentCounters(regionServerBefore, AgentCounters.read(regionServer));
    evidence.dataNode = new AgentCounters(dataNodeBefore, AgentCounters.read(dataNode));
    evidence.sender = this::sender;
    evidence.lostEvents = trace.lostEvents();
    evidence.requests =
        trace.recorded().stream().filter(r -> isOurs(r, replicas)).collect(Collectors.toList());
    evidence.otherFiles = evidence.requests.isEmpty() && cold.hasOtherFiles();
    List<BlockReplica> read =
        replicas.stream()
            .filter(replica -> evidence.requests.stream().anyMatch(replica::isReadBy))
            .collect(Collectors.toList());
    evidence.volumes =
        (read.isEmpty() ? replicas : read)
            .stream().map(BlockReplica::volume).distinct().collect(Collectors.toList());
    evidence.places =
        places.stream().map(p -> place(p, here.get(p), read)).collect(Collectors.joining("; "));
    return evidence;
  }

  private static String answer(ColdRow cold, IoPriority asked) throws IOException {
    try {
      int cells = cold.get(asked);
      return cells + (cells == 1 ? " cell" : " cells");
    } catch (DoNotRetryIOException e) {
      if (e.getClass() != DoNotRetryIOException.class) {
        throw e;
      }
      // So the policy of a RegionServer rejects; its counters will tell.
      return ProveFailure.reason(e);
    }
  }

  /** For people. */
  private static String place(RowPlace place, BlockReplica replica, List<BlockReplica> read) {
    return place.file()
        + " in "
        + place.block().getBlock().getBlockName()
        + (replica == null
            ? ", found on no volume of this host"
            : " on "
                + replica.volume()
                + (!replica.isLocated()
                    ? ""
                    : read.contains(replica) ? ", read at the disk" : ", not read at the disk"));
  }

  private static boolean isHere(String address) throws IOException {
    return NetworkInterface.getByInetAddress(InetAddress.getByName(address)) != null;
  }

  /** The DataNode of this host that has the row. */
  private DaemonPages dataNode(List<RowPlace> places) throws IOException {
    Set<String> holders = new HashSet<>();
    for (RowPlace place : places) {
      for (DatanodeInfo each : place.block().getLocations()) {
        holders.add(each.getHostName());
        if (isHere(each.getIpAddr())) {
          return new DaemonPages(
              each.getInfoPort() > 0
                  ? "http://" + each.getHostName() + ":" + each.getInfoPort()
                  : "https://" + each.getHostName() + ":" + each.getInfoSecurePort(),
              web);
        }
      }
    }
    throw new IOException(
        "the row's block has no replica on this host, but on "
            + String.join(", ", holders)
            + ": the RegionServer reads it over the network; take another row, or compact the"
            + " table, which writes a replica here");
  }

  private Map<RowPlace, BlockReplica> replicas(List<RowPlace> places, DaemonPages dataNode)
      throws IOException {
    DaemonProcess process =
        DaemonProcess.at(host, dataNode)
            .orElseThrow(
                () ->
                    new IOException(
                        "the process of the DataNode at "
                            + dataNode
                            + " is not among those of this host; run this command outside of"
                            + " containers"));
    List<Volume> volumes = DataNodeVolumes.directories(dataNode);
    Map<RowPlace, BlockReplica> replicas = new LinkedHashMap<>();
    for (RowPlace place : places) {
      BlockReplica.find(host, process, volumes, place).ifPresent(r -> replicas.put(place, r));
    }
    if (replicas.isEmpty()) {
      throw new IOException(
          "no volume of the DataNode at " + dataNode + " has the row's block; take another row");
    }
    return replicas;
  }

  private static String handlers(Configuration served) {
    return served
            .getTrimmed("hbase.region.server.rpc.scheduler.factory.class", "")
            .endsWith(OWN_SCHEDULER)
        ? "real-time calls have handlers of their own"
        : "HBase's own RPC scheduler: the call waited for a handler like any other";
  }

  private boolean isOurs(BlockTraceEvent request, List<BlockReplica> replicas) {
    return replicas.stream()
        .anyMatch(
            r ->
                r.isLocated()
                    ? r.isReadBy(request)
                    : request.isRead() && process(request).isPresent());
  }

  /** Of a DataNode or RegionServer of this host. */
  private Optional<DaemonProcess> process(BlockTraceEvent request) {
    String status = host.read("/proc/" + request.pid() + "/status").orElse("");
    Optional<String> process =
        status.lines().filter(line -> line.startsWith("Tgid:")).map(l -> l.substring(5)).findAny();
    return process.flatMap(pid -> DaemonProcess.of(host, Long.parseLong(pid.strip())));
  }

  private String sender(BlockTraceEvent request) {
    return Stream.of(process(request).map(DaemonProcess::toString).orElse("thread"), request.comm())
        .collect(Collectors.joining(" "));
  }
}
