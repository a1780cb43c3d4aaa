// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.tools.node.Finding;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Severity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a priority can do on an NVMe disk. */
class NvmeTest {

  private static final String BLOCK = "sys/devices/pci0/nvme/nvme1/nvme1n1/";
  private static final String PARAMETERS = "sys/module/nvme/parameters/";

  @TempDir private Path root;

  @BeforeEach
  void aDisk() throws IOException {
    write("proc/sys/kernel/osrelease", "6.12.0");
    write("proc/self/mountinfo", "1 0 259:0 / /data rw - ext4 /dev/nvme1n1 rw");
    write(BLOCK + "queue/rotational", "0");
    scheduler("[none] mq-deadline bfq", 1023);
    for (String queue : List.of("0", "1", "2", "3")) {
      write(BLOCK + "mq/" + queue + "/cpu_list", queue);
    }
    Files.createDirectories(root.resolve("sys/dev/block"));
    Files.createSymbolicLink(
        root.resolve("sys/dev/block/259:0"), Path.of("../../devices/pci0/nvme/nvme1/nvme1n1"));
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private void scheduler(String offered, int requests) throws IOException {
    write(BLOCK + "queue/scheduler", offered);
    write(BLOCK + "queue/nr_requests", "" + requests);
  }

  /** The module of native/nvme-wrr is loaded, and the kernel's log has these lines. */
  private void module(String wrr, String... log) throws IOException {
    write(PARAMETERS + "wrr", wrr);
    write(PARAMETERS + "wrr_force", "N");
    write(PARAMETERS + "wrr_weights", "16,8,1");
    write(PARAMETERS + "wrr_map", "u,hhhhmmmm,l,m");
    write("bin/dmesg", "#!/bin/sh\ncat <<'END'\n" + String.join("\n", log) + "\nEND");
    Files.setPosixFilePermissions(
        root.resolve("bin/dmesg"), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Two findings: the drive, and what a priority can do. */
  private List<Finding> said() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.data.dir", "/data");
    return new Doctor(new Host(root), new FakeCalls(), "")
        .conf(conf).examine().findings().stream()
            .filter(f -> f.check().equals("nvme"))
            .collect(Collectors.toList());
  }

  private static void expect(Finding finding, Severity severity, String... parts) {
    assertEquals(severity, finding.severity(), finding.toString());
    assertEquals("nvme1n1", finding.subject());
    for (String part : parts) {
      assertTrue(finding.toString().contains(part), part + " in " + finding);
    }
  }

  private void expectDrive(String... parts) {
    assertEquals(2, said().size(), said().toString());
    expect(said().get(0), Severity.OK, parts);
  }

  private void expectWorth(Severity severity, String... parts) {
    expect(said().get(1), severity, parts);
  }

  @Test
  void theKernelsOwnDriver() {
    expectDrive(
        "4 hardware queues, nr_requests 1023",
        "round robin: off, this kernel's driver has none",
        "(CAP.AMS) is not known");
    expectWorth(Severity.OK, "nothing below the DataNode", "with none requests go");
  }

  @Test
  void mqDeadlineOrdersOnlyWhatHasARequest() throws IOException {
    scheduler("none [mq-deadline] bfq", 256);
    expectWorth(Severity.OK, "classes among nr_requests = 256", "in the order of arrival");
    scheduler("none [mq-deadline] bfq", 255);
    expectWorth(
        Severity.ADVICE, "nr_requests = 255", "echo 1024 > /sys/block/nvme1n1/queue/nr_requests");
  }

  @Test
  void bfqKnowsLevels() throws IOException {
    scheduler("none mq-deadline [bfq]", 256);
    expectWorth(Severity.OK, "bfq orders the classes, and levels are shares");
  }

  @Test
  void theModuleIsOff() throws IOException {
    module("N", "nvme nvme1: wrr: on, 4 x 4 submission queues");
    expectDrive("off, as by default in the module nvme-wrr (wrr=0)");
    expectWorth(Severity.OK, "nothing below the DataNode");
  }

  @Test
  void theDriveArbitrates() throws IOException {
    module(
        "Y",
        "[1.0] nvme nvme1: wrr: off, this drive has no weighted round robin (CAP.AMS)",
        "[2.0] nvme nvme1: wrr: on, 4 x 4 submission queues",
        "[3.0] nvme nvme0: wrr: off, this drive has no weighted round robin (CAP.AMS)");
    expectDrive(
        "round robin: on, 4 x 4 submission queues, weights 16,8,1, map u,hhhhmmmm,l,m",
        "; the drive has it (CAP.AMS)");
    expectWorth(Severity.OK, "urgent queues first", "has taken already");
    write(PARAMETERS + "wrr_force", "Y");
    expectDrive("forced, so whether the drive has it (CAP.AMS) is not known");
  }

  @Test
  void theDriveDoesNotArbitrateThoughItWasAsked() throws IOException {
    module("Y", "nvme nvme1: wrr: off, this drive has no weighted round robin (CAP.AMS)");
    expectDrive("round robin: off, this drive has no weighted round robin (CAP.AMS)");
    expectWorth(Severity.OK, "nothing below the DataNode");
    module("Y", "nvme nvme11: wrr: on, 4 x 4 submission queues");
    expectDrive("wrr=1, but the kernel's log");
    expectWorth(Severity.OK, "nothing below the DataNode");
  }

  @Test
  void withNativeMultipathTheQueuesAreThoseOfThePaths() throws IOException {
    for (String queue : List.of("0", "1", "2", "3")) {
      Files.delete(root.resolve(BLOCK + "mq/" + queue + "/cpu_list"));
      Files.delete(root.resolve(BLOCK + "mq/" + queue));
    }
    expectDrive("its queues are not shown, as with native multipath");
  }
}
