// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.hdfs.datanode.engine.Engine;
import org.hadoopprio.hdfs.datanode.engine.EngineKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.metrics.EngineStatus;
import org.hadoopprio.tools.node.DaemonPages;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.DaemonRole;
import org.hadoopprio.tools.node.DataNodeVolumes;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.Volume;
import org.hadoopprio.tools.node.WebClient;

/** Checks one running daemon: the agent in it, its capability, and reads that bypass it. */
public final class DaemonCheck {

  private final DaemonRole role;
  private final Optional<DaemonProcess> process;
  private final DaemonPages pages;
  private final String ownVersion;
  private final Report report;
  private final String subject;
  private final DiskTimeCheck diskTime;

  private Optional<Configuration> conf;
  private JsonNode properties;
  private String jnaRemedy = JnaCheck.REMEDY;

  /** Where short-circuit readers ask the DataNode; empty for nowhere. */
  private String localSocket = "";

  private long denied;

  /**
   * A check of one daemon.
   *
   * @param process empty if this host does not show it
   * @param conf its configuration if given; otherwise the daemon is asked
   * @param ownVersion the doctor's own version; empty if not known
   */
  public DaemonCheck(
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
    this.diskTime = new DiskTimeCheck(report);
    this.subject = process.map(DaemonProcess::toString).orElse(role.label() + " at " + pages);
  }

  /**
   * Checks the daemon.
   *
   * @return the volumes of a DataNode that answered; empty otherwise
   */
  public List<Volume> run() {
    List<Volume> volumes = new ArrayList<>();
    Optional<Configuration> live = Optional.empty();
    try {
      if (conf.isEmpty()) {
        live = Optional.of(pages.conf());
        conf = live;
      }
      JsonNode runtime = pages.jmx("java.lang:type=Runtime").path(0);
      properties = systemProperties(runtime);
      jnaRemedy = JnaCheck.remedy(runtime.path("InputArguments"));
      JsonNode bean = pages.jmx(PriorityMBean.OBJECT_NAME);
      localSocket = bean.path(0).path("LocalSocket").asText();
      denied = bean.path(0).path("Denied").asLong();
      agent(bean);
      if (role == DaemonRole.DATANODE) {
        volumes.addAll(DataNodeVolumes.directories(pages));
      } else if (!bean.isEmpty()) {
        regionServer(bean.get(0), live);
      }
    } catch (WebClient.AccessException e) {
      report.skipped("daemon", subject, e.getMessage() + "; its agent was not checked", e.remedy());
    } catch (IOException e) {
      report.problem(
          "daemon",
          subject,
          "does not answer at " + pages + " (" + e + "); its agent was not checked",
          "state the address of its web pages: --http HOST:PORT");
    }
    process.ifPresent(p -> new CapabilityCheck(p, conf, denied, report).run());
    conf.ifPresent(this::shortCircuit);
    if (role == DaemonRole.DATANODE) {
      conf.ifPresent(c -> diskTime.configuration(subject, c, volumes));
    }
    return volumes;
  }

  /** Its page /conf may be for administrators only, while /jmx is for everybody. */
  private void regionServer(JsonNode bean, Optional<Configuration> live) throws IOException {
    long regions = pages.regionServer().path(0).path("regionCount").asLong();
    String unchecked = "its keys were not checked: ";
    try {
      Configuration running = live.isPresent() ? live.get() : pages.conf();
      boolean usersTables = pages.servesUsersTables();
      new RegionServerCheck(subject, running, report).run(bean, regions, usersTables);
    } catch (WebClient.AccessException e) {
      report.skipped("agent", subject, unchecked + e.getMessage(), e.remedy());
    } catch (IOException e) {
      String remedy = "ask as a user who may see " + pages + "/conf";
      report.skipped("agent", subject, unchecked + e.getMessage(), remedy);
    }
  }

  /** Who orders requests on each volume of which the DataNode says so. */
  public Map<Path, DiskOrder> orders() {
    return diskTime.orders();
  }

  private static JsonNode systemProperties(JsonNode runtime) {
    ObjectNode properties = JsonNodeFactory.instance.objectNode();
    for (JsonNode property : runtime.path("SystemProperties")) {
      properties.set(property.path("key").asText(), property.path("value"));
    }
    return properties;
  }

  // --- the agent ---

  private void agent(JsonNode beans) {
    if (beans.isEmpty()) {
      report.problem(
          "agent",
          subject,
          "is not in this process, which runs as stock Hadoop or HBase",
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
          "use an agent for this version of Hadoop; docs/troubleshooting.md, \"A Hadoop the agent"
              + " does not know\"");
    } else if (!ownVersion.isEmpty() && !version.equals(ownVersion)) {
      report.advice(
          "agent",
          subject,
          text + "; version " + ownVersion + " is installed here",
          "restart the " + role.label());
    } else {
      report.ok("agent", subject, text);
    }
    String off = bean.path("Off").asText();
    if (!off.isEmpty()) {
      report.problem(
          "agent",
          subject,
          "is OFF: " + off,
          "take back what has switched it off, if it may be on");
    }
    if (bean.path("Observing").asBoolean()) {
      report.ok("mode", subject, observed(bean));
    }
    String unavailable = bean.path("ThreadPriorityUnavailable").asText();
    if (!unavailable.isEmpty()) {
      report.problem("agent", subject, "cannot set I/O priorities: " + unavailable, jnaRemedy);
    }
    process.ifPresent(p -> JnaCheck.run(p, properties, Optional.of(unavailable.isEmpty()), report));
    SystemCallCheck.run(bean.path("RefusedCalls"), process, subject, report);
    counter(
        bean,
        "Denied",
        "real-time reads were done at be:0 because the kernel refused real-time",
        "see capability");
    counter(bean, "Failed", "priorities could not be set", "see the daemon's log");
    counter(
        bean, "Malformed", "priorities could not be read", "see the daemon's log for the client");
    PolicyDrift.run(bean, process, subject, report);
    diskTime.volumes(bean);
    bean.path("Engines").forEach(this::engine);
  }

  /** What a RegionServer would have done with the calls that it has served as stock HBase. */
  private static String observed(JsonNode bean) {
    return "observes, calls are those of stock HBase: "
        + bean.path("Asked").asLong()
        + " operations have asked for a priority; "
        + (bean.path("Clamped").asLong() + bean.path("Capped").asLong())
        + " would be lowered, "
        + bean.path("Rejected").asLong()
        + " rejected";
  }

  /**
   * Reports which engine does the real-time reads of a volume, and why; see {@link EngineStatus}.
   */
  private void engine(JsonNode status) {
    String wanted = status.path("wanted").asText();
    String inForce = status.path("engine").asText();
    String volume = status.path("volume").asText();
    String text = inForce + " (wanted: " + wanted + "): " + status.path("reason").asText();
    long fallbacks = status.path("fallbacks").asLong();
    if (fallbacks > 0) {
      text += "; " + fallbacks + " reads fell back to thread";
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
              : "fix that, or set " + EngineKeys.ENGINE.name() + " to " + inForce);
    }
  }

  private void counter(JsonNode bean, String name, String what, String remedy) {
    long count = bean.path(name).asLong();
    if (count > 0) {
      report.advice("agent", subject, name + ": " + count + " " + what, remedy);
    }
  }

  // --- reads that bypass the DataNode ---

  private void shortCircuit(Configuration found) {
    boolean on = found.getBoolean("dfs.client.read.shortcircuit", false);
    if (on && found.getBoolean("dfs.client.use.legacy.blockreader.local", false)) {
      report.problem(
          "short-circuit",
          subject,
          "dfs.client.use.legacy.blockreader.local is true: such readers open blocks without the"
              + " DataNode, at any class",
          "set it to false");
    }
    if (role == DaemonRole.REGIONSERVER) {
      if (on) {
        report.advice(
            "short-circuit",
            subject,
            "dfs.client.read.shortcircuit is true: it reads local blocks itself; on volumes that"
                + " are not in mode turns the DataNode's highest priority and rules do not apply to"
                + " them",
            "to apply them everywhere, set dfs.client.read.shortcircuit to false");
      } else {
        report.ok("short-circuit", subject, "off: all reads go through DataNodes");
      }
      return;
    }
    String socket = found.getTrimmed("dfs.domain.socket.path", "");
    if (socket.isEmpty()) {
      report.ok("short-circuit", subject, "not offered: no dfs.domain.socket.path");
    } else if (!localSocket.isEmpty()) {
      report.ok(
          "short-circuit",
          subject,
          "offered at " + socket + "; clients with the agent ask for their turn at " + localSocket);
    } else if (!orders().containsValue(DiskOrder.DATANODE)) {
      report.advice(
          "short-circuit",
          subject,
          "offered at "
              + socket
              + ": clients on this host that use it read blocks themselves, and this DataNode's"
              + " highest priority and rules do not apply to them",
          "to apply them, set dfs.client.read.shortcircuit to false in those clients, or remove"
              + " dfs.domain.socket.path here");
    } else {
      report.advice(
          "short-circuit",
          subject,
          "offered at "
              + socket
              + ": clients on this host that use it read blocks without waiting for their turn,"
              + " because there is no socket at which they could ask",
          "set dfs.client.read.shortcircuit to true here, and "
              + SchedulerKeys.LOCAL.name()
              + ", too; otherwise see the DataNode's log");
    }
  }
}
