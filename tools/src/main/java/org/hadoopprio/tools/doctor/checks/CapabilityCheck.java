// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.nio.file.Files;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.linux.ProcessRights;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.PolicyReader;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.DaemonRole;
import org.hadoopprio.tools.node.Report;

/** Checks that a daemon which is to grant real-time has the capability to set it. */
final class CapabilityCheck {

  private static final String CHECK = "capability";

  /** Kubernetes has no way to give a capability to a user other than root. */
  private static final String POD =
      "in the image: setcap cap_sys_nice+ep on the java program, with its directory of libraries"
          + " in /etc/ld.so.conf.d, and no allowPrivilegeEscalation: false; or run the container as"
          + " root and start the daemon there by setpriv; or do without: mode turns orders reads"
          + " without the capability";

  private final DaemonProcess process;
  private final Optional<Configuration> conf;
  private final long denied;
  private final Report report;
  private final String subject;
  private final ProcessRights rights;

  /**
   * A check of one process.
   *
   * @param conf the daemon's configuration; empty if it is not known
   * @param denied how many real-time reads it could not do as such; 0 if it does not say
   */
  CapabilityCheck(DaemonProcess process, Optional<Configuration> conf, long denied, Report report) {
    this.process = process;
    this.rights = process.rights();
    this.conf = conf;
    this.denied = denied;
    this.report = report;
    this.subject = process.toString();
  }

  void run() {
    Optional<String> grant = conf.flatMap(this::grant);
    if (!rights.isKnown()) {
      report.skipped(
          CHECK,
          subject,
          "/proc/" + process.pid() + "/status shows no capabilities",
          "run the doctor as root");
    } else if (rights.hasSysNice() && rights.isInFirstUserNamespace() && denied > 0) {
      report.problem(
          CHECK,
          subject,
          "has CAP_SYS_NICE, or CAP_SYS_ADMIN, but the kernel has refused real-time "
              + denied
              + " times: "
              + (rights.isFiltered() ? "a seccomp filter" : "a security module")
              + " forbids ioprio_set",
          SystemCallCheck.remedy(Optional.of(process), "ioprio_set"));
    } else if (rights.hasSysNice() && rights.isInFirstUserNamespace()) {
      report.ok(CHECK, subject, "has CAP_SYS_NICE, or CAP_SYS_ADMIN");
    } else if (!reads()) {
      report.ok(
          CHECK,
          subject,
          "lacks CAP_SYS_NICE and does not need it: it does not read blocks itself");
    } else if (grant.isEmpty()) {
      report.advice(CHECK, subject, lacking() + ", which real-time needs", remedy());
    } else if (grant.get().isEmpty()) {
      report.ok(CHECK, subject, "lacks CAP_SYS_NICE and does not need it: it grants no real-time");
    } else {
      report.problem(
          CHECK,
          subject,
          lacking() + ": real-time reads are done at be:0, although " + grant.get(),
          remedy());
    }
  }

  /** What grants real-time, for a message; no text if nothing does, empty if that is not known. */
  private Optional<String> grant(Configuration known) {
    String key = process.role().highestKey();
    String value = known.getTrimmed(key, "");
    try {
      String highest = value.isEmpty() ? DataNodeKeys.HIGHEST.defaultText() : value;
      return IoPriority.parse(highest).ioClass() == IoClass.REALTIME
          ? Optional.of(key + " is " + highest)
          : policyGrant(known);
    } catch (IllegalArgumentException e) {
      report.problem(
          "config",
          subject,
          key + " = \"" + value + "\": " + e.getMessage(),
          "correct the key, then restart");
      return Optional.empty();
    }
  }

  private Optional<String> policyGrant(Configuration known) {
    String key = process.role().policyKey();
    String file = known.getTrimmed(key, "");
    if (file.isEmpty()) {
      return Optional.of("");
    }
    boolean absolute = file.startsWith("/");
    if (absolute && !Files.isReadable(process.path(file))) {
      report.skipped(
          "config",
          subject,
          key + " = \"" + file + "\" cannot be read here; whether it grants real-time is not known",
          "run the doctor as root, and see that the file exists");
      return Optional.empty();
    }
    try {
      AccessPolicy policy = policy(absolute ? process.path(file).toString() : file);
      return Optional.of(
          policy.realtimeRule().map(rule -> "the " + rule + " in " + file).orElse(""));
    } catch (IllegalArgumentException e) {
      report.problem(
          "config",
          subject,
          key + " = \"" + file + "\": " + e.getMessage(),
          "correct the file, then reload it (docs/policy.md, \"Change a policy\")");
      return Optional.empty();
    }
  }

  private AccessPolicy policy(String file) {
    return process.role() == DaemonRole.DATANODE
        ? PolicyReader.forDataNode(file)
        : PolicyReader.forRegionServer(file);
  }

  /** Whether this process reads blocks from disk. */
  private boolean reads() {
    return process.role() == DaemonRole.DATANODE
        || conf.map(c -> c.getBoolean("dfs.client.read.shortcircuit", false)).orElse(false);
  }

  private String lacking() {
    return rights.hasSysNice()
        ? "has CAP_SYS_NICE only in a user namespace of its own, which the kernel does not accept"
        : "lacks CAP_SYS_NICE";
  }

  private String remedy() {
    if (!rights.isInFirstUserNamespace()) {
      return "run the container without a user namespace of its own (no userns-remap, not rootless)";
    }
    if (!rights.couldHaveSysNice()) {
      return "in a container: --cap-add SYS_NICE; otherwise start it with sys_nice in its bounding"
          + " set";
    }
    if (rights.onlyInheritsSysNice()) {
      return POD;
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
            "start it as root with the capability: setpriv --reuid hdfs --regid hdfs"
                + " --init-groups --inh-caps +sys_nice --ambient-caps +sys_nice COMMAND");
  }
}
