package org.hadoopprio.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.config.HdfsKeys;
import org.hadoopprio.hdfs.datanode.engine.Engine;
import org.hadoopprio.metrics.EngineStatus;
import org.hadoopprio.metrics.PriorityMBean;

/** One running daemon: its capability, the agent in it, and reads that go past it. */
final class DaemonCheck {

  /** Of hbase-prio, which is not there on a DataNode. */
  private static final String REGIONSERVER_HIGHEST = "hbase.regionserver.io.priority.highest";

  private final DaemonRole role;
  private final Optional<DaemonProcess> process;
  private final DaemonPages pages;
  private final String ownVersion;
  private final Report report;
  private final String subject;

  private Optional<Configuration> conf;
  private JsonNode properties;

  /**
   * A check of one daemon.
   *
   * @param process empty where it is not to be seen from here
   * @param conf its configuration where that was given; else the daemon is asked
   * @param ownVersion the doctor's own version; empty where not known
   */
  DaemonCheck(
      DaemonRole role,
      Optional<DaemonProcess> process,
      DaemonPages pages,
      Optional<Configuration> conf,
      String ownVersion,
      Report report) {
    this.role = role;
    this.process = process;
    this.pages = pages;
    this.conf = conf;
    this.ownVersion = ownVersion;
    this.report = report;
    this.subject = process.map(DaemonProcess::toString).orElse(role.label() + " at " + pages);
  }

  /**
   * Looks at the daemon.
   *
   * @return the volumes of a DataNode that answered; empty for others
   */
  List<Volume> run() {
    List<Volume> volumes = new ArrayList<>();
    try {
      if (conf.isEmpty()) {
        conf = Optional.of(pages.conf());
      }
      JsonNode runtime = pages.jmx("java.lang:type=Runtime").path(0);
      properties = systemProperties(runtime);
      agent(pages.jmx(PriorityMBean.OBJECT_NAME));
      if (role == DaemonRole.DATANODE) {
        volumes.addAll(volumes());
      }
    } catch (IOException e) {
      report.problem(
          "daemon",
          subject,
          "does not answer at " + pages + " (" + e + "); its agent was not looked at",
          "give the address of its web pages: --http HOST:PORT");
    }
    process.ifPresent(this::capability);
    conf.ifPresent(this::shortCircuit);
    return volumes;
  }

  private static JsonNode systemProperties(JsonNode runtime) {
    ObjectNode properties = JsonNodeFactory.instance.objectNode();
    for (JsonNode property : runtime.path("SystemProperties")) {
      properties.set(property.path("key").asText(), property.path("value"));
    }
    return properties;
  }

  private List<Volume> volumes() throws IOException {
    List<Volume> volumes = new ArrayList<>();
    JsonNode info = pages.jmx("Hadoop:service=DataNode,name=DataNodeInfo").path(0);
    JsonNode all = new ObjectMapper().readTree(info.path("VolumeInfo").asText("{}"));
    Iterator<String> names = all.fieldNames();
    while (names.hasNext()) {
      String path = names.next();
      boolean ramDisk = "RAM_DISK".equals(all.path(path).path("storageType").asText());
      volumes.add(new Volume(path, ramDisk));
    }
    return volumes;
  }

  // --- the agent ---

  private void agent(JsonNode beans) {
    if (beans.isEmpty()) {
      report.problem(
          "agent",
          subject,
          "is not in this process: it serves as stock",
          role.environment() + ", then restart");
      process.ifPresent(p -> JnaCheck.run(p, properties, Optional.empty(), report));
      return;
    }
    JsonNode bean = beans.get(0);
    String version = bean.path("Version").asText();
    int applied = bean.path("HooksApplied").asInt();
    int total = bean.path("HooksTotal").asInt();
    String text = "version " + version + ", hooks applied " + applied + " of " + total;
    if (applied < total) {
      List<String> off = new ArrayList<>();
      bean.path("Hooks").forEach(hook -> off.add(hook.asText()));
      off.removeIf(hook -> !hook.contains(": off"));
      report.problem(
          "agent",
          subject,
          text + ": " + String.join("; ", off),
          "an agent made for this version of Hadoop; docs/troubleshooting.md, \"Module ... is OFF\"");
    } else if (!ownVersion.isEmpty() && !version.equals(ownVersion)) {
      report.advice(
          "agent",
          subject,
          text + "; installed here is " + ownVersion,
          "restart the " + role.label());
    } else {
      report.ok("agent", subject, text);
    }
    String unavailable = bean.path("ThreadPriorityUnavailable").asText();
    if (!unavailable.isEmpty()) {
      report.problem("agent", subject, "sets no I/O priority: " + unavailable, JnaCheck.REMEDY);
    }
    process.ifPresent(p -> JnaCheck.run(p, properties, Optional.of(unavailable.isEmpty()), report));
    counter(
        bean,
        "Denied",
        "real-time reads were done at be:0 for want of CAP_SYS_NICE",
        "see capability");
    counter(bean, "Failed", "priorities could not be set", "see the daemon's log");
    counter(
        bean, "Malformed", "priorities could not be read", "see the daemon's log for the client");
    bean.path("Engines").forEach(this::engine);
  }

  /** How real-time reads of one volume are done, and why; see {@link EngineStatus}. */
  private void engine(JsonNode status) {
    String wanted = status.path("wanted").asText();
    String inForce = status.path("engine").asText();
    String volume = status.path("volume").asText();
    String text = inForce + " (wanted: " + wanted + "): " + status.path("reason").asText();
    long fallbacks = status.path("fallbacks").asLong();
    if (fallbacks > 0) {
      text += "; " + fallbacks + " reads were done plainly";
    }
    boolean asWanted = inForce.equals(wanted) || wanted.equals(Engine.AUTO.toString());
    if (asWanted && fallbacks == 0) {
      report.ok("engine", volume, text);
    } else {
      report.advice(
          "engine",
          volume,
          text,
          asWanted
              ? "see the DataNode's log for the reason"
              : "mend that, or set " + HdfsKeys.DATANODE_ENGINE.name() + " to " + inForce);
    }
  }

  private void counter(JsonNode bean, String name, String what, String remedy) {
    long count = bean.path(name).asLong();
    if (count > 0) {
      report.advice("agent", subject, name + ": " + count + " " + what, remedy);
    }
  }

  // --- the capability ---

  /** Whether the daemon is to serve real-time; empty where its configuration is not known. */
  private Optional<Boolean> wantsRealtime() {
    String key =
        role == DaemonRole.DATANODE ? HdfsKeys.DATANODE_HIGHEST.name() : REGIONSERVER_HIGHEST;
    try {
      return conf.map(c -> HdfsKeys.DATANODE_HIGHEST.parse(c.getTrimmed(key)))
          .map(IoPriority::ioClass)
          .map(IoClass.REALTIME::equals);
    } catch (IllegalArgumentException e) {
      report.problem("config", subject, e.getMessage(), "correct the key, then restart");
      return Optional.empty();
    }
  }

  /** Whether reads of blocks happen in this process. */
  private boolean reads() {
    return role == DaemonRole.DATANODE
        || conf.map(c -> c.getBoolean("dfs.client.read.shortcircuit", false)).orElse(false);
  }

  private void capability(DaemonProcess found) {
    if (!found.isReadable()) {
      report.advice(
          "capability", subject, "/proc/" + found.pid() + "/status has none", "run it as root");
      return;
    }
    boolean effective = found.mayRealtime() && found.isInFirstUserNamespace();
    Optional<Boolean> wanted = wantsRealtime();
    if (effective) {
      report.ok("capability", subject, "has CAP_SYS_NICE, or CAP_SYS_ADMIN");
    } else if (!reads() || !wanted.orElse(true)) {
      report.ok(
          "capability",
          subject,
          "lacks CAP_SYS_NICE and needs none: "
              + (reads() ? "it grants no real-time" : "it reads no block by itself"));
    } else if (wanted.isPresent()) {
      report.problem(
          "capability", subject, lacking(found) + ": real-time is done at be:0", remedy(found));
    } else {
      report.advice(
          "capability", subject, lacking(found) + ", which real-time needs", remedy(found));
    }
  }

  private static String lacking(DaemonProcess process) {
    return process.mayRealtime()
        ? "has CAP_SYS_NICE in a user namespace of its own only, which the kernel does not count"
        : "lacks CAP_SYS_NICE";
  }

  private static String remedy(DaemonProcess process) {
    if (!process.isInFirstUserNamespace()) {
      return "a container without a user namespace of its own (no userns-remap, not rootless)";
    }
    if (!process.couldHaveSysNice()) {
      return "in a container: --cap-add SYS_NICE; else take sys_nice back into the bounding set it"
          + " is started with";
    }
    return process
        .unit()
        .map(
            unit ->
                "mkdir -p /etc/systemd/system/UNIT.d && printf '[Service]\\nAmbientCapabilities=CAP_SYS_NICE\\n'"
                        .replace("UNIT", unit)
                    + " > /etc/systemd/system/UNIT.d/hadoop-prio.conf".replace("UNIT", unit)
                    + " && systemctl daemon-reload && systemctl restart "
                    + unit)
        .orElse(
            "start it with the capability, from root: setpriv --reuid hdfs --regid hdfs"
                + " --init-groups --inh-caps +sys_nice --ambient-caps +sys_nice COMMAND");
  }

  // --- reads that go past the DataNode ---

  private void shortCircuit(Configuration found) {
    boolean on = found.getBoolean("dfs.client.read.shortcircuit", false);
    if (on && found.getBoolean("dfs.client.use.legacy.blockreader.local", false)) {
      report.problem(
          "short-circuit",
          subject,
          "dfs.client.use.legacy.blockreader.local is true: such reads have no priority",
          "set it to false");
    }
    if (role == DaemonRole.REGIONSERVER) {
      if (on) {
        report.advice(
            "short-circuit",
            subject,
            "dfs.client.read.shortcircuit is true: it reads local blocks itself, and for these the"
                + " DataNode's highest priority, rules and share of real-time do not hold",
            "to have them hold, set dfs.client.read.shortcircuit to false");
      } else {
        report.ok("short-circuit", subject, "off: all reads go through DataNodes");
      }
      return;
    }
    String socket = found.getTrimmed("dfs.domain.socket.path", "");
    if (socket.isEmpty()) {
      report.ok("short-circuit", subject, "not offered: no dfs.domain.socket.path");
    } else {
      report.advice(
          "short-circuit",
          subject,
          "offered at "
              + socket
              + ": clients on this host that use it read blocks themselves, past this DataNode's"
              + " highest priority, rules and share of real-time",
          "to have them hold, set dfs.client.read.shortcircuit to false in those clients, or remove"
              + " dfs.domain.socket.path here");
    }
  }
}
