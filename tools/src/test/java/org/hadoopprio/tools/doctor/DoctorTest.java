// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.policy.PolicyHash;
import org.hadoopprio.tools.node.FakeDaemon;
import org.hadoopprio.tools.node.Finding;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoctorTest {

  private static final String AGENT = "org.hadoopprio:type=IoPriority";

  @TempDir private Path root;

  private static final String IN_TURNS =
      ",\"Volumes\":[{\"volume\":\"/data/1/dfs\",\"mode\":\"turns\",\"wanted\":\"turns\"}]";

  private Doctor doctor(String tree) throws IOException {
    return new Doctor(HostTree.unpack(tree, root), new FakeCalls(), "1.0");
  }

  private static Configuration dataDirs(String value) {
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.data.dir", value);
    // Nothing listens on this port.
    conf.set("dfs.datanode.http.address", "127.0.0.1:1");
    return conf;
  }

  private static List<Finding> of(Report report, String check, String subject) {
    return report.findings().stream()
        .filter(f -> f.check().equals(check) && f.subject().equals(subject))
        .collect(Collectors.toList());
  }

  /**
   * Returns the only finding of a check and a severity for a subject; its text must contain the
   * parts.
   */
  private static Finding expect(
      Report report, Severity severity, String check, String subject, String... parts) {
    List<Finding> found =
        of(report, check, subject).stream()
            .filter(f -> f.severity() == severity)
            .collect(Collectors.toList());
    assertEquals(1, found.size(), check + " " + subject + " in\n" + report.toText());
    for (String part : parts) {
      assertTrue(found.get(0).toString().contains(part), part + " in " + found.get(0));
    }
    return found.get(0);
  }

  private static FakeDaemon dataNode(String agent) throws IOException {
    FakeDaemon daemon =
        new FakeDaemon()
            .bean(
                "java.lang:type=Runtime",
                "\"Name\":\"4242@host\",\"SystemProperties\":["
                    + "{\"key\":\"user.home\",\"value\":\"/home/hdfs\"}]")
            .bean(
                "Hadoop:service=DataNode,name=DataNodeInfo",
                "\"VolumeInfo\":\"{\\\"/data/1/dfs\\\":{\\\"storageType\\\":\\\"DISK\\\"}}\"");
    return agent.isEmpty() ? daemon : daemon.bean(AGENT, agent);
  }

  private static String agent(String version, int applied, String unavailable) {
    return "\"Version\":\""
        + version
        + "\",\"HooksApplied\":"
        + applied
        + ",\"HooksTotal\":2,\"Hooks\":[\"datanode/a: applied\",\"datanode/b: off, no method b\"],"
        + "\"ThreadPriorityUnavailable\":\""
        + unavailable
        + "\",\"Denied\":3";
  }

  @Test
  void aVirtualMachineWithADiskOfItsOwn() throws IOException {
    Report report = doctor("vm.tree").conf(dataDirs("file:///data/1/,[SSD]/data/2")).examine();
    expect(report, Severity.OK, "kernel", "", "6.18.44");
    expect(report, Severity.OK, "ioprio", "");
    expect(report, Severity.OK, "io_uring", "");
    expect(report, Severity.ADVICE, "daemon", "", "no DataNode", "--http");
    expect(report, Severity.OK, "volume", "/data/1", "ext4 on vda");
    expect(report, Severity.OK, "volume", "/data/2", "ext4 on vda");
    expect(
        report, Severity.OK, "io-scheduler", "vda", "mq-deadline", "10000 ms", "not their levels");
    expect(report, Severity.OK, "ncq", "vda");
    expect(report, Severity.OK, "cdl", "vda");
    assertFalse(report.hasProblems(), report.toText());
  }

  /** What the doctor says of a disk whose queue has these files beside those of the tree. */
  private Report withQueue(String... namesAndTexts) throws IOException {
    Host host = HostTree.unpack("vm.tree", Files.createTempDirectory(root, "own"));
    Path queue = host.path("/sys/devices/pci0000:00/0000:00:02.0/virtio1/block/vda/queue");
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      Files.writeString(queue.resolve(namesAndTexts[i]), namesAndTexts[i + 1] + "\n");
    }
    return new Doctor(host, new FakeCalls(), "").conf(dataDirs("/data/1")).examine();
  }

  /** Linux 7.0 has moved the file. */
  @ParameterizedTest
  @CsvSource({
    "iosched/async_depth, 4, 1, false",
    "iosched/async_depth, 256, 1, true",
    "iosched/async_depth, 256, 0, false",
    "async_depth, 4, 1, false",
    "async_depth, 256, 1, true",
    "async_depth, 256, 0, false"
  })
  void manyWritesAtATimeMakeReadsOfARotatingDiskWait(
      String file, int depth, int rotates, boolean advised) throws IOException {
    Report report = withQueue(file, "" + depth, "rotational", "" + rotates);
    if (advised) {
      String remedy = "echo 4 > /sys/block/vda/queue/" + file;
      expect(report, Severity.ADVICE, "writeback", "vda", "256 writes", remedy);
    } else {
      assertEquals(List.of(), of(report, "writeback", "vda"), report.toText());
    }
  }

  @Test
  void writebackThrottlingIsLookedAt() throws IOException {
    Report report = withQueue("async_depth", "256", "wbt_lat_usec", "75000");
    expect(
        report, Severity.ADVICE, "writeback", "vda", "reacts only when reads take more than 75 ms");
    report = withQueue("async_depth", "256", "wbt_lat_usec", "0");
    expect(report, Severity.ADVICE, "writeback", "vda", "throttling is off (wbt_lat_usec is 0)");
    // The limit of mq-deadline is enough.
    report = withQueue("async_depth", "4", "wbt_lat_usec", "0");
    assertEquals(List.of(), of(report, "writeback", "vda"), report.toText());
    // A kernel before 5.14 has only this one.
    report = withQueue("wbt_lat_usec", "75000");
    assertEquals(List.of(), of(report, "writeback", "vda"), report.toText());
    report = withQueue("wbt_lat_usec", "0");
    String remedy = "echo -1 > /sys/block/vda/queue/wbt_lat_usec";
    expect(report, Severity.ADVICE, "writeback", "vda", "wbt_lat_usec is 0", remedy);
    report = withQueue("wbt_lat_usec", "0", "rotational", "0");
    assertEquals(List.of(), of(report, "writeback", "vda"), report.toText());
  }

  /** Only of a rotating disk: an SSD writes out what it has cached in no time. */
  @ParameterizedTest
  @CsvSource({"write back, 1, true", "write through, 1, false", "write back, 0, false"})
  void urgentReadsWaitForWhatARotatingDiskHasCached(String cache, int rotates, boolean advised)
      throws IOException {
    Report report = withQueue("write_cache", cache, "rotational", "" + rotates);
    if (advised) {
      expect(report, Severity.ADVICE, "write-cache", "vda", "switch its cache off");
    } else {
      assertEquals(List.of(), of(report, "write-cache", "vda"), report.toText());
    }
  }

  @Test
  void volumesInMemoryAreAProblemUnlessMeant() throws IOException {
    Report report = doctor("vm.tree").conf(dataDirs("/dev/shm/dfs")).examine();
    expect(report, Severity.PROBLEM, "volume", "/dev/shm/dfs", "tmpfs", "[RAM_DISK]/dev/shm/dfs");
    assertTrue(report.hasProblems());
    Path again = Files.createDirectory(root.resolve("again"));
    Report meant =
        new Doctor(HostTree.unpack("vm.tree", again), new FakeCalls(), "")
            .conf(dataDirs("[RAM_DISK]/dev/shm/dfs"))
            .examine();
    expect(meant, Severity.OK, "volume", "/dev/shm/dfs", "in memory");
    assertFalse(meant.hasProblems());
  }

  @Test
  void aLoopDeviceIsForTests() throws IOException {
    Report report = doctor("vm.tree").conf(dataDirs("/mnt/a disk/dfs")).examine();
    expect(report, Severity.ADVICE, "volume", "/mnt/a disk/dfs", "/disks/one.img", "tests");
    expect(
        report,
        Severity.ADVICE,
        "io-scheduler",
        "loop0",
        "none",
        "echo mq-deadline > /sys/block/loop0/queue/scheduler");
  }

  @Test
  void everyKindOfVolumeOfANode() throws IOException {
    String dirs = "/data/1,/data/2,/data/3,/data/4,/data/5,/data/6,/data/7,/data/8,file:/srv/dfs";
    Report report = doctor("node.tree").conf(dataDirs(dirs)).pid(4545).examine();
    expect(report, Severity.OK, "volume", "/data/1", "ext4 on sda");
    expect(report, Severity.ADVICE, "volume", "/data/2", "LVM volume vg-data", "over sdc");
    expect(report, Severity.ADVICE, "volume", "/data/3", "RAID (raid1)", "sdb, sdc");
    expect(report, Severity.OK, "volume", "/data/4", "nvme0n1");
    expect(report, Severity.PROBLEM, "volume", "/data/5", "nfs4");
    expect(report, Severity.ADVICE, "volume", "/data/6", "btrfs on sdb", "ext4 and XFS");
    expect(report, Severity.PROBLEM, "volume", "/data/7", "overlay");
    expect(report, Severity.PROBLEM, "volume", "/data/8", "tmpfs");
    expect(report, Severity.OK, "volume", "/srv/dfs", "xfs on sdc");
    expect(
        report,
        Severity.ADVICE,
        "io-scheduler",
        "sda",
        "prio_aging_expire is 100 ms",
        "echo 10000 > /sys/block/sda/queue/iosched/prio_aging_expire");
    expect(
        report,
        Severity.PROBLEM,
        "io-scheduler",
        "sdb",
        "modprobe mq-deadline && echo mq-deadline > /sys/block/sdb/queue/scheduler");
    expect(report, Severity.OK, "io-scheduler", "sdc", "bfq");
    expect(report, Severity.ADVICE, "io-scheduler", "nvme0n1", "does not rotate");
    List<Finding> ncq = of(report, "ncq", "sda");
    assertEquals(2, ncq.size(), report.toText());
    assertEquals(
        "echo 0 > /sys/block/sda/device/cdl_enable && echo 1 >"
            + " /sys/block/sda/device/ncq_prio_enable",
        ncq.get(0).remedy());
    assertEquals("echo 32 > /sys/block/sda/device/queue_depth", ncq.get(1).remedy());
    expect(report, Severity.ADVICE, "cdl", "sda", "cdl_enable");
    expect(report, Severity.OK, "ncq", "sdb", "no NCQ priority");
    expect(report, Severity.OK, "ncq", "sdc", "is on");
    assertEquals(1, of(report, "io-scheduler", "sdc").size(), "each disk once");
  }

  @Test
  void anOldKernelsMqDeadlineDoesNotOrder() throws IOException {
    Doctor doctor = doctor("vm.tree").conf(dataDirs("/data"));
    Files.writeString(root.resolve("proc/sys/kernel/osrelease"), "5.4.0-42-generic\n");
    Report report = doctor.examine();
    expect(report, Severity.ADVICE, "kernel", "", "CAP_SYS_ADMIN");
    expect(
        report, Severity.PROBLEM, "io-scheduler", "vda", "5.14", "echo bfq > /sys/block/vda/queue");
  }

  @Test
  void mqDeadlineOfAKernelThatDoesNotPassPrioritiesOnIsReported() throws IOException {
    Doctor doctor = doctor("vm.tree").conf(dataDirs("/data"));
    Files.writeString(root.resolve("proc/sys/kernel/osrelease"), "5.15.0-100-generic\n");
    String remedy = "echo bfq > /sys/block/vda/queue";
    expect(doctor.examine(), Severity.ADVICE, "io-scheduler", "vda", "before Linux 6.0", remedy);
  }

  @Test
  void mqDeadlineOfANewerKernelIsGood() throws IOException {
    Doctor doctor = doctor("vm.tree").conf(dataDirs("/data"));
    Files.writeString(root.resolve("proc/sys/kernel/osrelease"), "6.0.0\n");
    Report report = doctor.examine();
    assertEquals(1, of(report, "io-scheduler", "vda").size(), report.toText());
    expect(report, Severity.OK, "io-scheduler", "vda", "mq-deadline");
  }

  @Test
  void whatTheKernelRefusesIsSaid() throws IOException {
    Host host = HostTree.unpack("vm.tree", root);
    String filtered = "ioprio_set: refused with EPERM by the seccomp filter of this process";
    expect(
        new Doctor(host, new FakeCalls().ioprioProblem(filtered), "").examine(),
        Severity.PROBLEM,
        "ioprio",
        "",
        filtered,
        "--security-opt seccomp=FILE");
    Report report =
        new Doctor(host, new FakeCalls().ioprioProblem("no JNA").ioUringProblem("switched off"), "")
            .examine();
    expect(report, Severity.PROBLEM, "ioprio", "", "no JNA", "-Djna.tmpdir");
    expect(report, Severity.ADVICE, "io_uring", "", "switched off", "io_uring_disabled");
  }

  @Test
  void aDataNodeThatIsToServeRealtimeNeedsTheCapability() throws IOException {
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, ""))) {
      daemon.conf("dfs.datanode.io.priority.highest", "rt:0");
      Report report = doctor("node.tree").http(daemon.address()).examine();
      String subject = "DataNode 4242";
      expect(report, Severity.OK, "agent", subject, "version 1.0, hooks applied 2 of 2");
      expect(report, Severity.ADVICE, "agent", subject, "Denied: 3");
      expect(
          report,
          Severity.PROBLEM,
          "capability",
          subject,
          "lacks CAP_SYS_NICE",
          "/etc/systemd/system/hadoop-hdfs-datanode.service.d/hadoop-prio.conf",
          "AmbientCapabilities=CAP_SYS_NICE",
          "systemctl restart hadoop-hdfs-datanode.service");
      expect(report, Severity.ADVICE, "jna", subject, "/home/hdfs/.cache", "/home: noexec");
      expect(report, Severity.OK, "short-circuit", subject);
      expect(report, Severity.OK, "volume", "/data/1/dfs", "sda");
    }
  }

  /** A DataNode with CAP_SYS_NICE, whose agent says that it was denied real-time three times. */
  private Report denied(String seccomp, String cgroup, String refused) throws IOException {
    try (FakeDaemon daemon =
        dataNode(agent("1.0", 2, "") + ",\"RefusedCalls\":[" + refused + "]")) {
      Doctor doctor = doctor("node.tree");
      write(
          "proc/4242/status",
          "Name:\tjsvc\nPPid:\t100\nCapEff:\t0000000000800000\nCapBnd:\t0000000000800000\n"
              + "Seccomp:\t"
              + seccomp
              + "\n");
      write("proc/4242/cgroup", cgroup);
      return doctor.http(daemon.address()).examine();
    }
  }

  @Test
  void aFilterIsNotTakenForAMissingCapability() throws IOException {
    String subject = "DataNode 4242";
    String why = "\"ioprio_set: refused with EPERM by the seccomp filter of this process; x\"";
    Report unit = denied("2", "0::/system.slice/hdfs.service", why);
    String dropIn =
        "printf '[Service]\\nSystemCallFilter=ioprio_set\\n' >"
            + " /etc/systemd/system/hdfs.service.d/hadoop-prio-ioprio_set.conf";
    expect(unit, Severity.PROBLEM, "system-calls", subject, "with EPERM by the seccomp", dropIn);
    expect(
        unit,
        Severity.PROBLEM,
        "capability",
        subject,
        "refused real-time 3 times: a seccomp filter forbids ioprio_set",
        dropIn);
    expect(unit, Severity.ADVICE, "agent", subject, "Denied: 3", "see capability");
    assertEquals(1, of(unit, "capability", subject).size(), "no ok beside it");
    Report container = denied("2", "0::/docker/12ab", why);
    String profile = "--security-opt seccomp=FILE";
    expect(container, Severity.PROBLEM, "system-calls", subject, profile, "seccompProfile");
    expect(container, Severity.PROBLEM, "capability", subject, profile);
    Report module = denied("0", "0::/system.slice/hdfs.service", "");
    expect(module, Severity.PROBLEM, "capability", subject, "security module", "ausearch -m avc");
  }

  @Test
  void aRefusedLookAtThePageCacheIsSaid() throws IOException {
    String subject = "DataNode 4242";
    String why = "\"cachestat: refused with ENOSYS by the seccomp filter of this process; y\"";
    Report report = denied("2", "0::/kubepods.slice/x.scope", why);
    expect(report, Severity.PROBLEM, "system-calls", subject, "ENOSYS", "allow cachestat in its");
    Report none = denied("2", "0::/kubepods.slice/x.scope", "");
    expect(none, Severity.OK, "system-calls", subject, "Seccomp: 2", "none so far");
  }

  @Test
  void aDataNodeThatGrantsNoRealtimeNeedsNone() throws IOException {
    try (FakeDaemon daemon = dataNode(agent("0.9", 2, ""))) {
      daemon.conf("dfs.domain.socket.path", "/var/lib/hdfs/sock");
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(report, Severity.OK, "capability", "DataNode 4242", "does not need it");
      expect(report, Severity.ADVICE, "short-circuit", "DataNode 4242", "/var/lib/hdfs/sock");
      List<Finding> agent = of(report, "agent", "DataNode 4242");
      assertTrue(agent.get(0).text().contains("version 1.0 is installed here"), report.toText());
      assertEquals(Severity.ADVICE, agent.get(0).severity());
    }
  }

  /** A rule may grant real-time where the key does not. */
  @Test
  void aPolicyThatGrantsRealtimeNeedsTheCapability() throws IOException {
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, ""))) {
      daemon.conf("dfs.datanode.io.priority.policy.file", "/etc/hadoop/policy.xml");
      Report report =
          withPolicy("highest='be:0'", "highest='rt:3'").http(daemon.address()).examine();
      expect(
          report,
          Severity.PROBLEM,
          "capability",
          "DataNode 4242",
          "lacks CAP_SYS_NICE",
          "the rule for user \"hbase\" (line 3) allows rt:3 in /etc/hadoop/policy.xml",
          "AmbientCapabilities=CAP_SYS_NICE");
      Report none = withPolicy("highest='be:0'", "highest='be:1'").http(daemon.address()).examine();
      expect(none, Severity.OK, "capability", "DataNode 4242", "does not need it");
      Report refused =
          withPolicy("highest='be:0'", "lowest='rt:0'").http(daemon.address()).examine();
      expect(
          refused,
          Severity.PROBLEM,
          "config",
          "DataNode 4242",
          "dfs.datanode.io.priority.policy.file = \"/etc/hadoop/policy.xml\": line 3: attribute"
              + " lowest");
      expect(refused, Severity.ADVICE, "capability", "DataNode 4242", "which real-time needs");
    }
  }

  @Test
  void aPolicyThatCannotBeReadIsNoPolicyWithoutRealtime() throws IOException {
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, ""))) {
      daemon.conf("dfs.datanode.io.priority.policy.file", "/etc/hadoop/policy.xml");
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(report, Severity.SKIPPED, "config", "DataNode 4242", "/etc/hadoop/policy.xml", "root");
      expect(report, Severity.ADVICE, "capability", "DataNode 4242", "which real-time needs");
    }
  }

  /** The policy's path is that of the container; the host has another file there. */
  @Test
  void aPolicyInAContainerIsTheOneInTheContainer() throws IOException {
    Configuration conf = dataDirs("/data/1");
    conf.set("dfs.client.read.shortcircuit", "true");
    conf.set("hbase.regionserver.io.priority.policy.file", "/etc/hadoop/policy.xml");
    Doctor doctor = withPolicy("highest='be:0'", "highest='be:1'");
    write(
        "proc/4343/root/etc/hadoop/policy.xml",
        policy("table='t' highest='rt:0'", "highest='be:0'"));
    Report report = doctor.conf(conf).pid(4343).http("127.0.0.1:1").examine();
    expect(
        report,
        Severity.PROBLEM,
        "capability",
        "RegionServer 4343",
        "the rule for user \"*\" and table \"t\" (line 2) allows rt:0");
  }

  private static String inForce(String hash, boolean usable) {
    return String.format(
        ",\"Policies\":[{\"key\":\"k\",\"file\":\"/etc/hadoop/policy.xml\",\"version\":\"7\","
            + "\"hash\":\"%s\",\"usable\":%s,\"rules\":[\"one\",\"two\"]}]",
        hash, usable);
  }

  @Test
  void aPolicyFileThatHasChangedSinceItWasReadIsFound() throws IOException {
    String content = policy("highest='be:0'", "highest='be:1'");
    String hash = PolicyHash.of(content.getBytes(StandardCharsets.UTF_8));
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, "") + inForce(hash, true))) {
      Doctor doctor = withPolicy("highest='be:0'", "highest='be:1'");
      Report report = doctor.http(daemon.address()).examine();
      String text = "/etc/hadoop/policy.xml: version 7, hash " + hash + ", 2 rules in force";
      expect(report, Severity.OK, "policy", "DataNode 4242", text);
      Doctor later = withPolicy("highest='be:0'", "highest='be:2'");
      expect(
          later.http(daemon.address()).examine(),
          Severity.ADVICE,
          "policy",
          "DataNode 4242",
          text + "; the file has changed since");
    }
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, "") + inForce("none", false))) {
      Doctor doctor = withPolicy("highest='be:0'", "highest='be:1'");
      expect(
          doctor.http(daemon.address()).examine(),
          Severity.PROBLEM,
          "policy",
          "DataNode 4242",
          "/etc/hadoop/policy.xml could not be used");
    }
  }

  private static String policy(String anybody, String hbase) {
    return "<io-priority-policy>\n<rule user='*' "
        + anybody
        + "/>\n<rule user='hbase' "
        + hbase
        + "/>\n</io-priority-policy>";
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** A doctor for a node with a policy in the place where the host's own root directory is. */
  private Doctor withPolicy(String anybody, String hbase) throws IOException {
    write("etc/hadoop/policy.xml", policy(anybody, hbase));
    return doctor("node.tree");
  }

  @Test
  void shortCircuitReadersThatCannotAskForTheirTurn() throws IOException {
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, "") + IN_TURNS)) {
      daemon.conf("dfs.domain.socket.path", "/var/lib/hdfs/sock");
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(
          report, Severity.ADVICE, "short-circuit", "DataNode 4242", "without waiting", "to true");
    }
  }

  @Test
  void shortCircuitReadersThatAskForTheirTurn() throws IOException {
    String socket = ",\"LocalSocket\":\"/var/lib/hdfs/sock.ioprio\"";
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, "") + IN_TURNS + socket)) {
      daemon.conf("dfs.domain.socket.path", "/var/lib/hdfs/sock");
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(report, Severity.OK, "short-circuit", "DataNode 4242", "/var/lib/hdfs/sock.ioprio");
    }
  }

  @Test
  void aMalformedKeyIsTold() throws IOException {
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, ""))) {
      daemon.conf("dfs.datanode.io.priority.highest", "turbo");
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(
          report,
          Severity.PROBLEM,
          "config",
          "DataNode 4242",
          "dfs.datanode.io.priority.highest = \"turbo\"");
    }
  }

  private static String engine(String volume, String wanted, String inForce, int fallbacks) {
    return String.format(
        "{\"volume\":\"%s\",\"wanted\":\"%s\",\"engine\":\"%s\",\"reason\":\"no SATA disk\","
            + "\"fallbacks\":%d}",
        volume, wanted, inForce, fallbacks);
  }

  @Test
  void anEngineThatIsNotTheOneWantedIsToldWithItsReason() throws IOException {
    String engines =
        String.join(
            ",",
            engine("/data/1", "direct", "direct", 0),
            engine("/data/2", "auto", "thread", 0),
            engine("/data/3", "ncq", "thread", 7),
            engine("/data/4", "direct", "direct", 2));
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, "") + ",\"Engines\":[" + engines + "]")) {
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(report, Severity.OK, "engine", "/data/1", "direct (wanted: direct)");
      expect(report, Severity.OK, "engine", "/data/2", "thread (wanted: auto): no SATA disk");
      expect(
          report,
          Severity.ADVICE,
          "engine",
          "/data/3",
          "thread (wanted: ncq): no SATA disk; 7 reads",
          "dfs.datanode.io.priority.engine");
      expect(report, Severity.ADVICE, "engine", "/data/4", "2 reads", "log");
    }
  }

  private static String volume(
      String volume, String wanted, String mode, String device, String more) {
    return String.format(
        "{\"volume\":\"%s\",\"wanted\":\"%s\",\"mode\":\"%s\",\"device\":\"%s\",\"streams\":1,"
            + "\"reason\":\"the reason\",\"realtimeShare\":0.7,\"queue\":{%s}}",
        volume, wanted, mode, device, more);
  }

  private static String agentWithVolumes(String... volumes) {
    return agent("1.0", 2, "") + ",\"Volumes\":[" + String.join(",", volumes) + "]";
  }

  @Test
  void whatTheSchedulerDoesOnEachVolumeIsTold() throws IOException {
    String agent =
        agentWithVolumes(
            volume("/data/1", "turns", "turns", "sda", "\"open\":false"),
            volume(
                "/data/2",
                "turns",
                "turns",
                "sdb",
                "\"overdueWaits\":2,\"lostReads\":3,\"refusedTurns\":4"),
            volume("/data/3", "turns", "turns", "sdc", "\"open\":true,\"overdueWaits\":1"),
            volume("/data/4", "turns", "order", "nvme0n1", ""),
            volume("/data/5", "turns", "order", "", ""),
            volume("/data/6", "order", "order", "sdb", ""),
            volume("/data/8", "observe", "observe", "sdb", ""),
            volume("/data/7", "off", "off", "sdb", ""));
    try (FakeDaemon daemon = dataNode(agent)) {
      Report report = doctor("node.tree").http(daemon.address()).examine();
      String check = "disk-time";
      expect(report, Severity.OK, check, "/data/1", "turns on sda, 1 stream", "0.7 of its time");
      expect(report, Severity.ADVICE, check, "/data/2", "2 waits", "3 reads", "4 turns", "log");
      expect(report, Severity.PROBLEM, check, "/data/3", "no read waits", "log");
      expect(report, Severity.OK, check, "/data/4", "order, not turns: the reason");
      expect(
          report,
          Severity.ADVICE,
          check,
          "/data/5",
          "order, not turns: the reason",
          "add /data/5=order to the value of dfs.datanode.io.priority.scheduler");
      expect(report, Severity.OK, check, "/data/6", "order, as configured", "nothing limits");
      expect(
          report, Severity.OK, check, "/data/8", "observe, as configured", "stock reads; 0 of 0");
      expect(report, Severity.OK, check, "/data/7", "off, as configured: stock reads");
    }
  }

  @Test
  void withoutItsHooksTheSchedulerDoesNothing() throws IOException {
    // As a DataNode says it: without the hooks no volume has mode turns.
    String agent =
        agentWithVolumes(volume("/data/1", "turns", "order", "sda", ""))
            .replace("datanode/b: off", "scheduler/packet: off")
            .replace("the reason", "the agent's module scheduler is off");
    try (FakeDaemon daemon = dataNode(agent)) {
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(report, Severity.PROBLEM, "disk-time", "/data/1", "module scheduler is off");
    }
  }

  @Test
  void aDirectoryThatIsNoVolumeIsTold() throws IOException {
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, ""))) {
      daemon
          .conf("dfs.datanode.data.dir", "[SSD]file:///data/2")
          .conf(
              "dfs.datanode.io.priority.scheduler",
              "turns,/data/1/dfs=off,/data/2=order,/dat/3=off");
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(
          report,
          Severity.PROBLEM,
          "config",
          "DataNode 4242",
          "dfs.datanode.io.priority.scheduler names /dat/3, which is not a volume",
          "/data/1/dfs, /data/2",
          "-reconfig");
    }
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, ""))) {
      daemon.conf("dfs.datanode.io.priority.scheduler", "turn");
      Path again = Files.createDirectory(root.resolve("again"));
      Report report =
          new Doctor(HostTree.unpack("node.tree", again), new FakeCalls(), "")
              .http(daemon.address())
              .examine();
      expect(
          report,
          Severity.PROBLEM,
          "config",
          "DataNode 4242",
          "dfs.datanode.io.priority.scheduler = \"turn\"",
          "off, observe, order or turns");
    }
  }

  @Test
  void whereReadsTakeTurnsTheSchedulerOfTheDiskIsASecondLine() throws IOException {
    String agent =
        agentWithVolumes(
            volume("/data/1", "turns", "turns", "sda", ""),
            volume("/data/6", "turns", "turns", "sdb", ""),
            volume("/srv/dfs", "turns", "turns", "sdc", ""));
    try (FakeDaemon daemon = dataNode(agent)) {
      // As the node's only daemon, so that this host's mounts count.
      Report report =
          doctor("node.tree")
              .conf(dataDirs("/data/1,/data/6,/srv/dfs"))
              .http(daemon.address())
              .pid(4545)
              .examine();
      expect(
          report,
          Severity.ADVICE,
          "io-scheduler",
          "sdb",
          "none",
          "short-circuit clients with the agent",
          "modprobe mq-deadline");
      expect(report, Severity.OK, "io-scheduler", "sdc", "bfq");
      Path again = Files.createDirectory(root.resolve("again"));
      Report withAnother =
          new Doctor(HostTree.unpack("node.tree", again), new FakeCalls(), "1.0")
              .conf(dataDirs("/data/1,/data/3,/data/6,/srv/dfs"))
              .http(daemon.address())
              .pid(4545)
              .examine();
      // /data/3 is on sdb, too, and its reads do not take turns.
      expect(withAnother, Severity.PROBLEM, "io-scheduler", "sdb", "none");
    }
  }

  /** The health gate of a roll-out's first stages is the exit status. */
  @ParameterizedTest
  @ValueSource(strings = {"observe", "off"})
  void whereNothingIsToBeOrderedNoSchedulerIsNeeded(String mode) throws IOException {
    String agent =
        agentWithVolumes(
            volume("/data/1", "turns", "turns", "sda", ""),
            volume("/data/3", mode, mode, "sdb", ""),
            volume("/data/6", "turns", "turns", "sdb", ""));
    try (FakeDaemon daemon = dataNode(agent)) {
      Report report =
          doctor("node.tree")
              .conf(dataDirs("/data/1,/data/3,/data/6"))
              .http(daemon.address())
              .pid(4545)
              .examine();
      expect(
          report, Severity.ADVICE, "io-scheduler", "sdb", "none", "in mode observe or off nothing");
      assertEquals(
          List.of(),
          report.findings().stream()
              .filter(f -> f.severity() == Severity.PROBLEM)
              .filter(f -> List.of("io-scheduler", "volume").contains(f.check()))
              .collect(Collectors.toList()));
    }
  }

  @Test
  void anAgentThatIsNotWholeOrNotThere() throws IOException {
    try (FakeDaemon daemon = dataNode(agent("1.0", 1, "JNA is not usable"))) {
      Report report = doctor("node.tree").http(daemon.address()).examine();
      List<Finding> problems =
          of(report, "agent", "DataNode 4242").stream()
              .filter(f -> f.severity() == Severity.PROBLEM)
              .collect(Collectors.toList());
      assertEquals(2, problems.size(), report.toText());
      assertTrue(problems.get(0).text().endsWith("1 of 2: datanode/b: off, no method b"));
      assertTrue(problems.get(1).text().contains("JNA is not usable"));
      expect(report, Severity.PROBLEM, "jna", "DataNode 4242", "noexec", "-Djna.tmpdir");
    }
    try (FakeDaemon stock = dataNode("")) {
      Path again = Files.createDirectory(root.resolve("again"));
      Report report =
          new Doctor(HostTree.unpack("node.tree", again), new FakeCalls(), "")
              .http(stock.address())
              .examine();
      expect(report, Severity.PROBLEM, "agent", "DataNode 4242", "stock", "hdfs-env.sh");
    }
  }

  /** Since Java 24; the directory is right then, whatever it is. */
  @Test
  void whereTheJvmDeniesNativeAccessTheRemedyIsToEnableIt() throws IOException {
    String cannot = agent("1.0", 2, "JNA or its native library is not usable");
    String deny = "\"--illegal-native-access=deny\"";
    String enabled = deny + ",\"--enable-native-access=x,ALL-UNNAMED\"";
    for (String arguments : List.of(deny, enabled)) {
      try (FakeDaemon daemon =
          dataNode(cannot)
              .bean(
                  "java.lang:type=Runtime",
                  "\"Name\":\"4242@host\",\"InputArguments\":[" + arguments + "]")) {
        Path own = Files.createDirectory(root.resolve(arguments.equals(deny) ? "deny" : "enabled"));
        Report report =
            new Doctor(HostTree.unpack("node.tree", own), new FakeCalls(), "")
                .http(daemon.address())
                .examine();
        String remedy =
            arguments.equals(deny) ? "--enable-native-access=ALL-UNNAMED" : "-Djna.tmpdir";
        expect(report, Severity.PROBLEM, "agent", "DataNode 4242", "not usable", remedy);
      }
    }
  }

  @Test
  void aRegionServerWithShortCircuitInAUserNamespace() throws IOException {
    Configuration conf = dataDirs("/data/1");
    conf.set("dfs.client.read.shortcircuit", "true");
    conf.set("dfs.client.use.legacy.blockreader.local", "true");
    conf.set("hbase.regionserver.io.priority.highest", "rt:0");
    Report report = doctor("node.tree").conf(conf).pid(4343).http("127.0.0.1:1").examine();
    String subject = "RegionServer 4343";
    expect(report, Severity.PROBLEM, "daemon", subject, "does not answer", "--http");
    expect(report, Severity.PROBLEM, "capability", subject, "user namespace", "userns-remap");
    expect(report, Severity.ADVICE, "short-circuit", subject, "itself");
    expect(report, Severity.PROBLEM, "short-circuit", subject, "legacy");
  }

  @Test
  void withoutThePidAllDaemonsAreFound() throws IOException {
    Report report = doctor("node.tree").conf(dataDirs("/data/1")).examine();
    List<String> subjects =
        report.findings().stream()
            .filter(f -> f.check().equals("capability"))
            .map(Finding::subject)
            .collect(Collectors.toList());
    assertEquals(List.of("DataNode 4242", "RegionServer 4343", "DataNode 4545"), subjects);
  }

  @Test
  void inAContainerWithoutTheCapabilityTheContainerMustGiveIt() throws IOException {
    Configuration conf = dataDirs("/data/1");
    conf.set("dfs.datanode.io.priority.highest", "rt:0");
    Report report = doctor("node.tree").conf(conf).pid(4545).examine();
    expect(report, Severity.PROBLEM, "capability", "DataNode 4545", "--cap-add SYS_NICE");
  }

  /** A container that does not run as root, as some runtimes start it with added capabilities. */
  @Test
  void aCapabilityThatIsInheritableOnlyNeedsAnotherRemedy() throws IOException {
    Configuration conf = dataDirs("/data/1");
    conf.set("dfs.datanode.io.priority.highest", "rt:0");
    Doctor doctor = doctor("node.tree").conf(conf).pid(4545);
    Files.writeString(
        root.resolve("proc/4545/status"),
        "Name:\tjava\nPPid:\t1\nCapInh:\t0000000000800000\nCapPrm:\t0000000000000000\n"
            + "CapEff:\t0000000000000000\nCapBnd:\t00000000a08425fb\n");
    Report report = doctor.examine();
    expect(report, Severity.PROBLEM, "capability", "DataNode 4545", "lacks CAP_SYS_NICE", "setcap");
  }

  @Test
  void aProcessThatIsSomethingElseIsRefused() throws IOException {
    Doctor doctor = doctor("node.tree").pid(4444);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, doctor::examine);
    assertEquals("process 4444 is not a DataNode or RegionServer", refused.getMessage());
  }

  @Test
  void aRegionServerWhoseProcessIsNotToBeSeen() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon()) {
      daemon
          .bean("Hadoop:service=HBase,name=RegionServer,sub=Server", "\"regionCount\":1")
          .bean("java.lang:type=Runtime", "\"Name\":\"1@other\"");
      Report report = doctor("node.tree").http(daemon.address()).examine();
      String subject = "RegionServer at http://" + daemon.address();
      expect(report, Severity.PROBLEM, "agent", subject, "hbase-env.sh");
      expect(report, Severity.OK, "short-circuit", subject);
    }
  }

  /** As it is for half a second whenever a region has been opened 5 s before. */
  @Test
  void aRegionServerIsNoDataNodeWhileHBaseRenewsItsMetrics() throws IOException {
    try (FakeDaemon daemon = new FakeDaemon()) {
      daemon
          .bean("Hadoop:service=HBase,name=MetricsSystem,sub=Control", "")
          .answers(
              "Hadoop:service=HBase,name=RegionServer,sub=Server",
              List.of("", "", "{\"regionCount\":1}"))
          .bean("java.lang:type=Runtime", "\"Name\":\"1@other\"");
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(report, Severity.PROBLEM, "agent", "RegionServer at http://" + daemon.address());
    }
  }

  @Test
  void asJson() throws IOException {
    Report report = doctor("vm.tree").conf(dataDirs("/dev/shm")).examine();
    JsonNode json = new ObjectMapper().readTree(report.toJson());
    assertEquals(1, json.path("problems").asInt());
    assertEquals(report.findings().size(), json.path("findings").size());
    JsonNode last = json.path("findings").get(report.findings().size() - 1);
    assertEquals("problem", last.path("severity").asText());
    assertEquals("volume", last.path("check").asText());
    assertEquals("/dev/shm", last.path("subject").asText());
    assertFalse(last.path("text").asText().isEmpty());
    assertFalse(last.path("remedy").asText().isEmpty());
  }

  @Test
  void aRegionServerThatObservesSaysWhatItWouldDo() throws IOException {
    String counted = ",\"Observing\":true,\"Asked\":12,\"Clamped\":3,\"Capped\":1,\"Rejected\":2";
    try (FakeDaemon daemon = dataNode(agent("1.0", 2, "") + counted)) {
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(
          report,
          Severity.OK,
          "mode",
          "DataNode 4242",
          "12 operations have asked for a priority; 4 would be lowered, 2 rejected");
    }
  }

  @Test
  void aDaemonThatIsOffSaysWhy() throws IOException {
    try (FakeDaemon daemon =
        dataNode(agent("1.0", 2, "") + ",\"Off\":\"all modules: the file /f is there\"")) {
      Report report = doctor("node.tree").http(daemon.address()).examine();
      expect(
          report,
          Severity.PROBLEM,
          "agent",
          "DataNode 4242",
          "is OFF: all modules: the file /f is there");
    }
  }
}
