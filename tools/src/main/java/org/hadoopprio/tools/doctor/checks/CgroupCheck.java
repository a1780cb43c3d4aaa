// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Mount;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.SysfsDevice;

/**
 * Checks the cgroup v2 of a daemon for what changes the class of its requests, or holds them back
 * whatever their priority (Documentation/admin-guide/cgroup-v2.rst, "IO").
 */
public final class CgroupCheck {

  private static final String CHECK = "cgroup";

  /** blkcg_set_ioprio assigns the whole value, of which the hint is a part. */
  private static final String HINT =
      "; a request whose class it changes loses the duration limit (hint) of its priority, too";

  private static final Pattern READ_LIMIT = Pattern.compile("r(?:bps|iops)=\\d+");

  private final Host host;
  private final DaemonProcess process;
  private final Collection<SysfsDevice> devices;
  private final Report report;
  private final String subject;

  /** The devices' names by their numbers; empty if the devices are not known. */
  private final Map<String, String> names = new TreeMap<>();

  /** The directories of the process's group and of those above it, the root last. */
  private final List<String> groups = new ArrayList<>();

  private boolean silent = true;

  /**
   * A check of one process.
   *
   * @param devices those of the volumes, all layers; if empty, settings for any device are reported
   */
  public CgroupCheck(
      Host host, DaemonProcess process, Collection<SysfsDevice> devices, Report report) {
    this.host = host;
    this.process = process;
    this.devices = devices;
    this.report = report;
    this.subject = process.toString();
    devices.forEach(device -> device.read("dev").ifPresent(n -> names.put(n, device.name())));
  }

  public void run() {
    Optional<String> cgroups = process.cgroups();
    if (cgroups.isEmpty()) {
      report.skipped(
          CHECK,
          subject,
          "/proc/" + process.pid() + "/cgroup cannot be read",
          "run the doctor on the host itself, as root");
      return;
    }
    Optional<String> path =
        cgroups.get().lines().filter(l -> l.startsWith("0::")).map(l -> l.substring(3)).findFirst();
    Optional<Mount> tree =
        Mount.parse(host.read("/proc/self/mountinfo").orElse("")).stream()
            .filter(mount -> mount.type().equals("cgroup2"))
            .findFirst();
    if (path.isEmpty() || tree.isEmpty()) {
      report.ok(CHECK, subject, "in no cgroup v2");
      return;
    }
    if (path.get().startsWith("/..")) {
      report.skipped(
          CHECK,
          subject,
          "its group " + path.get() + " is outside of the tree that this process sees",
          "run the doctor on the host itself");
      return;
    }
    list(tree.get().point(), path.get());
    requestClass();
    for (String group : groups.subList(0, groups.size() - 1)) {
      readLimit(group);
      latency(group);
    }
    ioCost();
    bfq();
    if (silent) {
      report.ok(CHECK, subject, path.get() + ": nothing changes what a priority is worth");
    }
  }

  private void list(String root, String path) {
    String relative = path.replaceAll("/+$", "");
    while (!relative.isEmpty()) {
      groups.add(root + relative);
      relative = relative.substring(0, relative.lastIndexOf('/'));
    }
    groups.add(root);
  }

  private void advice(String text, String remedy) {
    silent = false;
    report.advice(CHECK, subject, text, remedy);
  }

  /**
   * The nearest group's file, and its text. A group without the controller io has none and is
   * treated as the next one above that has the controller.
   */
  private Optional<Map.Entry<String, String>> nearest(String file) {
    for (String group : groups) {
      String path = group + "/" + file;
      Optional<String> text = host.read(path);
      if (text.isPresent()) {
        return Optional.of(Map.entry(path, text.get()));
      }
    }
    return Optional.empty();
  }

  /** The class that requests get (block/blk-ioprio.c, blkcg_set_ioprio); it is not inherited. */
  private void requestClass() {
    Optional<Map.Entry<String, String>> setting = nearest("io.prio.class");
    if (setting.isEmpty() || setting.get().getValue().equals("no-change")) {
      return;
    }
    String value = setting.get().getValue();
    silent = false;
    report.problem(
        CHECK,
        subject,
        setting.get().getKey() + " is " + value + ": " + meaning(value) + HINT,
        "echo no-change > " + setting.get().getKey());
  }

  private static String meaning(String value) {
    switch (value) {
      case "restrict-to-be":
        return "to the kernel real-time reads are at be:0, before nothing that is best-effort";
      case "idle":
        return "to the kernel all its requests are idle, behind those of other groups, and a priority"
            + " is worth nothing";
      case "promote-to-rt":
        return "to the kernel all its requests that are not real-time are at rt:4, so that a priority"
            + " is worth nothing on mq-deadline, and its bulk reads are before other processes";
      case "none-to-rt":
        return "to the kernel its requests without a priority, and since Linux 6.5 all that are not"
            + " real-time, are at rt:4, so that real-time is before none of them on mq-deadline";
      default:
        return "it changes the class of its requests";
    }
  }

  /** The settings in a file with a line for each device, and the names of their devices. */
  private Map<String, String> settings(String path, UnaryOperator<String> relevant) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String line : host.read(path).orElse("").split("\n", -1)) {
      String[] parts = line.split(" ", 2);
      boolean known = names.isEmpty() || names.containsKey(parts[0]);
      String setting = parts.length == 2 && known ? relevant.apply(parts[1]) : "";
      if (!setting.isEmpty()) {
        found.merge(setting, names.getOrDefault(parts[0], parts[0]), (a, b) -> a + ", " + b);
      }
    }
    return found;
  }

  /** Requests above the limit wait in the order of arrival, before the scheduler (blk-throttle). */
  private void readLimit(String group) {
    settings(group + "/io.max", CgroupCheck::readLimits)
        .forEach(
            (limit, on) ->
                advice(
                    group
                        + "/io.max limits reads from "
                        + on
                        + " ("
                        + limit
                        + "): above that they wait in the order of arrival, whatever their priority",
                    "remove IOReadBandwidthMax= and IOReadIOPSMax= of that unit or slice"));
  }

  private static String readLimits(String setting) {
    StringBuilder limits = new StringBuilder();
    Matcher matcher = READ_LIMIT.matcher(setting);
    while (matcher.find()) {
      limits.append(limits.length() == 0 ? "" : " ").append(matcher.group());
    }
    return limits.toString();
  }

  /** While a target is missed, groups beside it with a longer one are held back (blk-iolatency). */
  private void latency(String group) {
    settings(group + "/io.latency", setting -> setting)
        .forEach(
            (target, on) ->
                advice(
                    group
                        + "/io.latency is set on "
                        + on
                        + " ("
                        + target
                        + " us): while it is missed, groups beside it with a longer target or none have"
                        + " fewer requests at the disk, whatever their priority",
                    "if that is not intended, remove IODeviceLatencyTargetSec= of that unit or slice"));
  }

  /** iocost lets a group's requests pass by its weight, before the scheduler (blk-iocost). */
  private void ioCost() {
    String root = groups.get(groups.size() - 1);
    String weight =
        nearest("io.weight")
            .map(w -> w.getKey() + ": " + defaultOf(w.getValue()))
            .orElse("no weight");
    String file = root + "/io.cost.qos";
    UnaryOperator<String> enabled = setting -> setting.contains("enable=1") ? "enable=1" : "";
    Map<String, String> models = settings(root + "/io.cost.model", setting -> setting);
    settings(file, enabled)
        .forEach(
            (on, disks) ->
                advice(
                    "iocost shares "
                        + disks
                        + " among groups by weight ("
                        + weight
                        + "; io.cost.model: "
                        + (models.isEmpty() ? "none" : String.join("; ", models.keySet()))
                        + "): a request waits until its group may send it, and a priority orders only"
                        + " those that may go",
                    "raise IOWeight= of the unit, or switch iocost off: echo 'MAJOR:MINOR enable=0' > "
                        + file));
  }

  private static String defaultOf(String weights) {
    return weights.lines().findFirst().orElse("").replaceFirst("^default ", "");
  }

  /**
   * To BFQ a group is best-effort whatever the class of its requests (block/bfq-iosched.h,
   * BFQ_DEFAULT_GRP_CLASS), so classes order requests within a group only.
   */
  private void bfq() {
    Optional<Map.Entry<String, String>> weight = nearest("io.bfq.weight");
    List<String> disks = new ArrayList<>();
    for (SysfsDevice device : devices) {
      if (device.scheduler().equals("bfq")) {
        disks.add(device.name());
      }
    }
    if (weight.isPresent() && !disks.isEmpty()) {
      advice(
          "bfq on "
              + String.join(", ", disks)
              + ": a priority orders requests within this group only; between groups the weights decide ("
              + weight.get().getKey()
              + ": "
              + defaultOf(weight.get().getValue())
              + ")",
          "raise IOWeight= of the unit; mq-deadline orders classes across groups");
    }
  }
}
