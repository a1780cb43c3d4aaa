// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.tools.doctor.checks.CgroupCheck;
import org.hadoopprio.tools.doctor.checks.DaemonCheck;
import org.hadoopprio.tools.doctor.checks.DiskOrder;
import org.hadoopprio.tools.doctor.checks.KernelCalls;
import org.hadoopprio.tools.doctor.checks.KernelCheck;
import org.hadoopprio.tools.doctor.checks.ProcessPriorityCheck;
import org.hadoopprio.tools.doctor.checks.VolumeCheck;
import org.hadoopprio.tools.node.DaemonPages;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.DaemonRole;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Mount;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.SiteFiles;
import org.hadoopprio.tools.node.Volume;
import org.hadoopprio.tools.node.WebClient;

/** Examines a node. Not safe for use by several threads. */
final class Doctor {

  private static final String DATA_DIR = "dfs.datanode.data.dir";

  private final Host host;
  private final KernelCalls calls;
  private final String version;
  private final Report report = new Report();
  private final Map<Path, DiskOrder> orders = new HashMap<>();
  private final WebClient web = new WebClient(this::site);

  private Optional<Configuration> conf = Optional.empty();
  private Optional<DaemonPages> http = Optional.empty();
  private Optional<Long> pid = Optional.empty();

  /**
   * A doctor for a host.
   *
   * @param version the installed version of hadoop-prio; empty if not known
   */
  Doctor(Host host, KernelCalls calls, String version) {
    this.host = host;
    this.calls = calls;
    this.version = version;
  }

  /** Sets the configuration of the daemons; by default they are asked for it. */
  Doctor conf(Configuration given) {
    this.conf = Optional.of(given);
    return this;
  }

  /**
   * Sets the address of one daemon's web pages.
   *
   * @throws IllegalArgumentException if that is not an address
   */
  Doctor http(String address) {
    this.http = Optional.of(new DaemonPages(address, web));
    return this;
  }

  /** Sets the process id of one daemon. */
  Doctor pid(long given) {
    this.pid = Optional.of(given);
    return this;
  }

  /**
   * Runs all checks once.
   *
   * @throws IllegalArgumentException if the given process is not a DataNode or RegionServer
   */
  Report examine() {
    KernelCheck.run(host, calls, report);
    List<Volume> volumes = new ArrayList<>();
    List<Mount> mounts = Mount.parse(host.read("/proc/self/mountinfo").orElse(""));
    List<DaemonProcess> processes = processes();
    if (processes.isEmpty() && http.isPresent()) {
      volumes.addAll(daemon(roleAt(http.get()), Optional.empty()));
    }
    for (DaemonProcess process : processes) {
      volumes.addAll(daemon(process.role(), Optional.of(process)));
      if (process.role() == DaemonRole.DATANODE && !process.mounts().isEmpty()) {
        mounts = process.mounts();
      }
    }
    if (processes.isEmpty() && http.isEmpty()) {
      report.advice(
          "daemon",
          "",
          "no DataNode or RegionServer was found on this host",
          "start it, or state where it is: --http HOST:PORT, --pid PID");
    }
    if (conf.isPresent()) {
      volumes = Volume.parse(conf.get().getTrimmed(DATA_DIR, ""));
    }
    VolumeCheck check = new VolumeCheck(host, mounts, orders, report);
    check.run(volumes);
    for (DaemonProcess process : processes) {
      new CgroupCheck(host, process, check.devices(), report).run();
    }
    return report;
  }

  private List<DaemonProcess> processes() {
    if (pid.isPresent()) {
      return List.of(
          DaemonProcess.of(host, pid.get())
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "process " + pid.get() + " is not a DataNode or RegionServer")));
    }
    return http.map(this::processAt).orElseGet(() -> DaemonProcess.find(host));
  }

  /** The process that serves these pages; empty if it is not on this host. */
  private List<DaemonProcess> processAt(DaemonPages pages) {
    try {
      return DaemonProcess.at(host, pages).map(List::of).orElse(List.of());
    } catch (IOException e) {
      // The check of the daemon reports that it does not answer.
      return List.of();
    }
  }

  /** The role of a daemon whose process is not on this host. */
  private static DaemonRole roleAt(DaemonPages pages) {
    try {
      return pages.regionServer().isEmpty() ? DaemonRole.DATANODE : DaemonRole.REGIONSERVER;
    } catch (IOException e) {
      return DaemonRole.DATANODE;
    }
  }

  private List<Volume> daemon(DaemonRole role, Optional<DaemonProcess> process) {
    DaemonPages pages = http.orElseGet(() -> new DaemonPages(address(role), web));
    DaemonCheck check = new DaemonCheck(role, process, pages, conf, version, report);
    List<Volume> volumes = check.run();
    orders.putAll(check.orders());
    process.ifPresent(p -> ProcessPriorityCheck.run(calls, p, report));
    return volumes;
  }

  private String address(DaemonRole role) {
    Configuration known = site();
    String url = role.url(known);
    // A certificate and a Kerberos principal are those of the host's name.
    boolean byName = url.startsWith("https:") || role.requiresLogin(known);
    return url.replaceFirst("//0\\.0\\.0\\.0:", "//" + (byName ? hostName() : "localhost") + ":");
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getCanonicalHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private Configuration site() {
    return conf.orElseGet(SiteFiles::ofClassPath);
  }
}
