// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.hadoopprio.lab.progress.Pauses;

/** Waits until daemons are ready, by asking them. */
final class Readiness {

  private static final long POLL_MS = 100;
  private static final long SAY_EVERY_NS = 5_000_000_000L;
  private static final long TIMEOUT_S = 180;

  /** Asks a daemon; the answer is empty when it is ready, else what is missing. */
  private interface Probe {
    String missing() throws IOException;
  }

  private final Progress progress;

  Readiness(Progress progress) {
    this.progress = progress;
  }

  /** Waits until the NameNode is out of safe mode and every DataNode has registered with it. */
  void awaitHdfs(Daemon nameNode, List<Daemon> dataNodes) throws IOException {
    List<Daemon> involved = new ArrayList<>(dataNodes);
    involved.add(nameNode);
    await("HDFS", involved, () -> hdfs(nameNode, dataNodes));
  }

  private static String hdfs(Daemon nameNode, List<Daemon> dataNodes) throws IOException {
    JsonNode bean = bean(nameNode, "Hadoop:service=NameNode,name=FSNamesystemState");
    if (!"Operational".equals(bean.path("FSState").asText())) {
      return "the NameNode to leave " + bean.path("FSState").asText("start-up");
    }
    for (Daemon dataNode : dataNodes) {
      // The NameNode still counts one that has just ended; the DataNode itself knows better.
      JsonNode info = bean(dataNode, "Hadoop:service=DataNode,name=DataNodeInfo");
      if (!info.path("BPServiceActorInfo").asText().contains("RUNNING")) {
        return dataNode.name() + " to register";
      }
    }
    int live = bean.path("NumLiveDataNodes").asInt();
    return live >= dataNodes.size() ? "" : "the NameNode to know all DataNodes";
  }

  /** Waits until ZooKeeper serves. */
  void awaitZooKeeper(Daemon zooKeeper) throws IOException {
    await("ZooKeeper", List.of(zooKeeper), () -> zooKeeper(zooKeeper));
  }

  private static String zooKeeper(Daemon zooKeeper) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), zooKeeper.port("client"))) {
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return answer.contains("Mode:") ? "" : "ZooKeeper to serve";
    }
  }

  /** Waits until the Master has initialised and the RegionServers report to it. */
  void awaitHBase(Daemon master, List<Daemon> regionServers) throws IOException {
    List<Daemon> involved = new ArrayList<>(regionServers);
    involved.add(master);
    await("HBase", involved, () -> hbase(master, regionServers));
  }

  private static String hbase(Daemon master, List<Daemon> regionServers) throws IOException {
    JsonNode bean = bean(master, "Hadoop:service=HBase,name=Master,sub=Server");
    if (bean.path("numRegionServers").asInt() < regionServers.size()) {
      return "the RegionServers to report to the Master";
    }
    // 0 until the Master has assigned the system tables.
    if (bean.path("masterFinishedInitializationTime").asLong() == 0) {
      return "the Master to initialise";
    }
    JsonNode assignment = bean(master, "Hadoop:service=HBase,name=Master,sub=AssignmentManager");
    // HBase's metrics are gone for half a second when others come; that is no count of 0.
    if (!assignment.has("ritCount")) {
      return "the Master to count the regions in transition";
    }
    int regions = 0;
    for (Daemon regionServer : regionServers) {
      regions +=
          bean(regionServer, "Hadoop:service=HBase,name=RegionServer,sub=Server")
              .path("regionCount")
              .asInt();
    }
    boolean assigned = assignment.get("ritCount").asInt() == 0 && regions > 0;
    return assigned ? "" : "all regions to be assigned";
  }

  /** Waits until the NodeManager has registered with the ResourceManager. */
  void awaitYarn(Daemon resourceManager, Daemon nodeManager) throws IOException {
    await("YARN", List.of(resourceManager, nodeManager), () -> yarn(resourceManager));
  }

  private static String yarn(Daemon resourceManager) throws IOException {
    JsonNode bean = bean(resourceManager, "Hadoop:service=ResourceManager,name=ClusterMetrics");
    return bean.path("NumActiveNMs").asInt() > 0 ? "" : "the NodeManager to register";
  }

  private static JsonNode bean(Daemon daemon, String query) throws IOException {
    return DaemonHttp.jmx(daemon.port("http"), query).path(0);
  }

  private void await(String what, Collection<Daemon> daemons, Probe probe) throws IOException {
    long start = System.nanoTime();
    long said = start;
    String last = "";
    for (String missing = ask(what, probe); !missing.isEmpty(); missing = ask(what, probe)) {
      requireRunning(daemons);
      long now = System.nanoTime();
      if (now - start > TIMEOUT_S * 1_000_000_000) {
        throw timeout(daemons, missing);
      }
      if (!missing.equals(last) || now - said > SAY_EVERY_NS) {
        progress.say("waiting for " + missing);
        said = now;
      }
      last = missing;
      Pauses.sleep(POLL_MS);
    }
    progress.say(what + " is ready");
  }

  private static String ask(String what, Probe probe) throws IOException {
    try {
      return probe.missing();
    } catch (SocketTimeoutException e) {
      // An InterruptedIOException, too, but nobody has interrupted: the machine is busy.
      return what + " to answer (" + e + ")";
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // Usually it does not listen yet.
      return what + " to answer (" + e + ")";
    }
  }

  private ClusterException timeout(Collection<Daemon> daemons, String missing) throws IOException {
    StringBuilder message =
        new StringBuilder("timed out after " + TIMEOUT_S + " s waiting for " + missing);
    for (Daemon daemon : daemons) {
      message.append(System.lineSeparator()).append(lastLines(daemon));
    }
    return new ClusterException(message.toString());
  }

  /**
   * Checks that no daemon has ended; call it in loops that wait for a daemon.
   *
   * @throws ClusterException if one does not run, with the end of its log
   */
  static void requireRunning(Collection<Daemon> daemons) throws IOException {
    for (Daemon daemon : daemons) {
      if (!daemon.isRunning()) {
        throw failure(daemon, "has ended");
      }
    }
  }

  /** A failure with the end of the daemon's log. */
  static ClusterException failure(Daemon daemon, String what) throws IOException {
    return new ClusterException(
        daemon.name() + ": " + what + System.lineSeparator() + lastLines(daemon));
  }

  private static String lastLines(Daemon daemon) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("the end of " + daemon.logFile() + ":");
    DaemonLog.end(daemon.logFile(), daemon.outputFile()).forEach(line -> lines.add("  " + line));
    return String.join(System.lineSeparator(), lines);
  }
}
