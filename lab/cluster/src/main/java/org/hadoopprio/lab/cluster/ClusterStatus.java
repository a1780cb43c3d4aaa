// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopprio.lab.disk.Disk;

/** The state of a cluster at one moment. Immutable. */
public final class ClusterStatus {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** One daemon. */
  private static final class DaemonStatus {
    @JsonProperty private final String name;
    @JsonProperty private final boolean running;
    @JsonProperty private final Long pid;

    /** Hooks applied and all hooks, such as {@code 9/9}; empty if the agent is not active. */
    @JsonProperty private final String hooks;

    @JsonProperty private final Map<String, Integer> ports;
    @JsonProperty private final String log;

    private DaemonStatus(Daemon daemon) throws IOException {
      this.name = daemon.name();
      this.pid = daemon.isRunning() ? (Long) daemon.pid().getAsLong() : null;
      this.running = pid != null;
      this.hooks = running && daemon.hasAgent() ? hooks(daemon) : "";
      this.ports = daemon.ports();
      this.log = daemon.logFile().toString();
    }

    private static String hooks(Daemon daemon) throws IOException {
      JsonNode bean = DaemonHttp.jmx(daemon.port("http"), "org.hadoopprio:type=IoPriority").path(0);
      return bean.isMissingNode()
          ? ""
          : bean.path("HooksApplied").asInt() + "/" + bean.path("HooksTotal").asInt();
    }

    private String[] row() {
      return new String[] {
        name,
        running ? "running" : "not running",
        pid == null ? "-" : pid.toString(),
        hooks.isEmpty() ? "-" : hooks,
        ports.entrySet().stream()
            .map(port -> port.getKey() + "=" + port.getValue())
            .collect(Collectors.joining(" ")),
        log
      };
    }
  }

  private static final String[] HEADINGS = {"DAEMON", "STATE", "PID", "HOOKS", "PORTS", "LOG"};

  @JsonProperty private final String id;
  @JsonProperty private final String directory;
  @JsonProperty private final String clientConf;
  @JsonProperty private final boolean allRunning;
  @JsonProperty private final List<DaemonStatus> daemons = new ArrayList<>();
  @JsonProperty private final List<String> disks;

  private ClusterStatus(LocalCluster cluster) throws IOException {
    this.id = cluster.id();
    this.directory = cluster.directory().toString();
    this.clientConf = cluster.clientConfDirectory().toString();
    for (Daemon daemon : cluster.daemons()) {
      daemons.add(new DaemonStatus(daemon));
    }
    this.allRunning = daemons.stream().allMatch(daemon -> daemon.running);
    this.disks = cluster.disks().stream().map(Disk::description).collect(Collectors.toList());
  }

  /** Queries a cluster. */
  public static ClusterStatus of(LocalCluster cluster) throws IOException {
    return new ClusterStatus(cluster);
  }

  /** Whether every daemon runs. */
  public boolean allRunning() {
    return allRunning;
  }

  /** As JSON. */
  public String toJson() throws IOException {
    return JSON.writeValueAsString(this);
  }

  /** As a text table. */
  public String toTable() {
    List<String[]> rows = new ArrayList<>();
    rows.add(HEADINGS);
    daemons.forEach(daemon -> rows.add(daemon.row()));
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> lines.add(line(row, rows)));
    disks.forEach(disk -> lines.add("disk: " + disk));
    lines.add("cluster: " + id + " in " + directory);
    lines.add("client configuration: " + clientConf);
    return String.join(System.lineSeparator(), lines);
  }

  private static String line(String[] row, List<String[]> rows) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.length - 1; i++) {
      int column = i;
      int width = rows.stream().mapToInt(r -> r[column].length()).max().getAsInt();
      line.append(row[i]).append(" ".repeat(width - row[i].length() + 2));
    }
    return line.append(row[row.length - 1]).toString();
  }
}
