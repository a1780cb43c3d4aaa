// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.tools.doctor.checks.LinuxCalls;
import org.hadoopprio.tools.node.Finding;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.Severity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a daemon's process is subject to: its cgroup, and the I/O priority it was started with. */
class ProcessTest {

  private static final String SUBJECT = "DataNode 4242";
  private static final String SLICE = "sys/fs/cgroup/system.slice/";
  private static final String GROUP = SLICE + "hadoop-hdfs-datanode.service/";

  @TempDir private Path root;

  @BeforeEach
  void unpack() throws IOException {
    HostTree.unpack("node.tree", root);
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.data.dir", "/data/1,/srv/dfs");
    // Nothing listens on this port.
    conf.set("dfs.datanode.http.address", "127.0.0.1:1");
    return conf;
  }

  /** All findings of a check for the DataNode, as text. */
  private List<String> findings(String check, FakeCalls calls) {
    Report report = new Doctor(new Host(root), calls, "").conf(conf()).pid(4242).examine();
    return of(report, check, SUBJECT);
  }

  private static List<String> of(Report report, String check, String subject) {
    return report.findings().stream()
        .filter(f -> f.check().equals(check) && f.subject().equals(subject))
        .map(Finding::toString)
        .collect(Collectors.toList());
  }

  /** The only finding about the cgroup; it has this severity and these parts. */
  private void expectCgroup(Severity severity, String... parts) {
    expect(findings("cgroup", new FakeCalls()), severity, parts);
  }

  private static void expect(List<String> found, Severity severity, String... parts) {
    assertEquals(1, found.size(), found.toString());
    assertTrue(found.get(0).startsWith(severity.label()), found.get(0));
    for (String part : parts) {
      assertTrue(found.get(0).contains(part), part + " in " + found.get(0));
    }
  }

  @Test
  void aGroupThatChangesNothing() throws IOException {
    write(GROUP + "io.prio.class", "no-change");
    write(GROUP + "io.weight", "default 100");
    write(GROUP + "io.max", "");
    write("sys/fs/cgroup/io.cost.qos", "8:0 enable=0 ctrl=auto");
    expectCgroup(Severity.OK, "/system.slice/hadoop-hdfs-datanode.service: nothing changes");
  }

  @Test
  void aGroupThatChangesTheClassOfRequests() throws IOException {
    // Of a group without the controller io it is that of the next one above.
    write(SLICE + "io.prio.class", "restrict-to-be");
    write("sys/fs/cgroup/io.prio.class", "idle");
    expectCgroup(
        Severity.PROBLEM,
        "/sys/fs/cgroup/system.slice/io.prio.class is restrict-to-be",
        "real-time reads are at be:0",
        "loses the duration limit (hint)",
        "echo no-change > /sys/fs/cgroup/system.slice/io.prio.class");
    // It is not inherited.
    write(GROUP + "io.prio.class", "no-change");
    expectCgroup(Severity.OK);
    write(GROUP + "io.prio.class", "idle");
    expectCgroup(Severity.PROBLEM, "all its requests are idle");
    write(GROUP + "io.prio.class", "promote-to-rt");
    expectCgroup(Severity.PROBLEM, "at rt:4");
    write(GROUP + "io.prio.class", "none-to-rt");
    expectCgroup(Severity.PROBLEM, "since Linux 6.5");
  }

  @Test
  void limitsOfAnyGroupAbove() throws IOException {
    // sda and sdc are those of the volumes.
    write(
        SLICE + "io.max",
        "8:0 rbps=1048576 wbps=max riops=max wiops=max\n"
            + "8:16 rbps=9 wbps=max riops=max wiops=max\n"
            + "8:32 rbps=1048576 wbps=9 riops=max wiops=max");
    expectCgroup(
        Severity.ADVICE,
        "/sys/fs/cgroup/system.slice/io.max limits reads from sda, sdc (rbps=1048576)",
        "whatever their priority",
        "IOReadBandwidthMax=");
    write(SLICE + "io.max", "8:0 rbps=max wbps=5 riops=max wiops=max");
    expectCgroup(Severity.OK);
    write(GROUP + "io.latency", "8:32 target=75000");
    expectCgroup(Severity.ADVICE, "io.latency is set on sdc (target=75000 us)");
  }

  @Test
  void ioCostSharesByWeight() throws IOException {
    write("sys/fs/cgroup/io.cost.qos", "8:0 enable=1 ctrl=user rpct=95.00 rlat=75000");
    write("sys/fs/cgroup/io.cost.model", "8:0 ctrl=auto model=linear rbps=1");
    write(GROUP + "io.weight", "default 300");
    expectCgroup(
        Severity.ADVICE,
        "iocost shares sda",
        "hadoop-hdfs-datanode.service/io.weight: 300",
        "ctrl=auto model=linear",
        "enable=0");
    write("sys/fs/cgroup/io.cost.qos", "8:16 enable=1 ctrl=user");
    expectCgroup(Severity.OK);
  }

  @Test
  void betweenGroupsBfqKnowsWeightsOnly() throws IOException {
    write(GROUP + "io.bfq.weight", "default 100");
    // sdc has bfq, sda has not.
    expectCgroup(Severity.ADVICE, "bfq on sdc: ", "within this group only", "io.bfq.weight: 100");
  }

  @Test
  void aGroupThatCannotBeSeenIsNotTakenForGood() throws IOException {
    write("proc/4242/cgroup", "0::/../other");
    expectCgroup(Severity.SKIPPED, "/../other", "on the host");
    Files.delete(root.resolve("proc/4242/cgroup"));
    expectCgroup(Severity.SKIPPED, "/proc/4242/cgroup cannot be read");
    write("proc/4242/cgroup", "5:blkio:/a");
    expectCgroup(Severity.OK, "in no cgroup v2");
  }

  private List<String> startedAt(IoPriority priority) {
    return findings("ioprio", new FakeCalls().ioprio(priority));
  }

  @Test
  void thePriorityThatTheProcessWasStartedWith() {
    expect(startedAt(IoPriority.NONE), Severity.OK, "without an I/O priority");
    expect(startedAt(IoPriority.bestEffort(4)), Severity.OK, "started at be:4");
    expect(startedAt(IoPriority.bestEffort(7)), Severity.ADVICE, "started at be:7");
    expect(
        startedAt(IoPriority.parse("idle")),
        Severity.PROBLEM,
        "started at idle",
        "behind those of all other processes",
        "remove IOSchedulingClass= and IOSchedulingPriority= from hadoop-hdfs-datanode.service");
    expect(startedAt(IoPriority.realtime(4)), Severity.PROBLEM, "started at rt:4", "not before");
    expect(startedAt(null), Severity.SKIPPED, "cannot be read");
  }

  /**
   * On this machine: a process with a DataNode's command line that was started at idle, with the
   * cgroup that it has here.
   */
  @Test
  void aRealProcessThatWasStartedAtIdle() throws IOException, InterruptedException {
    Path ionice = Path.of("/usr/bin/ionice");
    Need.PROGRAM.require(Files.isExecutable(ionice), ionice.toString());
    List<String> command = new ArrayList<>(List.of(ionice.toString(), "-c", "3"));
    // The shell does not use its further arguments.
    command.addAll(List.of("sh", "-c", "echo begun; read -r end"));
    command.add("org.apache.hadoop.hdfs.server.datanode.DataNode");
    Process process = new ProcessBuilder(command).start();
    try {
      byte[] begun = process.getInputStream().readNBytes("begun".length());
      assertEquals("begun", new String(begun, StandardCharsets.UTF_8));
      Report report =
          new Doctor(Host.here(), new LinuxCalls(), "").conf(conf()).pid(process.pid()).examine();
      String subject = "DataNode " + process.pid();
      expect(of(report, "ioprio", subject), Severity.PROBLEM, "started at idle");
      List<String> cgroup = of(report, "cgroup", subject);
      assertTrue(cgroup.size() > 0, report.toText());
      assertTrue(cgroup.stream().noneMatch(f -> f.startsWith("skipped")), cgroup.toString());
    } finally {
      process.getOutputStream().close();
      process.waitFor();
    }
  }
}
