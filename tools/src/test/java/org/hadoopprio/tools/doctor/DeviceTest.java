// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.tools.node.Finding;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Severity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices made of others, and the switches of disks behind different adapters. */
class DeviceTest {

  private static final String BLOCK = "sys/devices/virtual/block/";

  @TempDir private Path root;

  @BeforeEach
  void aKernel() throws IOException {
    write("proc/sys/kernel/osrelease", "6.12.0");
    device("sda");
    device("sdb");
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private void device(String name, String... parts) throws IOException {
    write(BLOCK + name + "/queue/scheduler", parts.length == 0 ? "[mq-deadline] none" : "none");
    Files.createDirectories(root.resolve(BLOCK + name + "/slaves"));
    for (String part : parts) {
      Files.createSymbolicLink(
          root.resolve(BLOCK + name + "/slaves/" + part), Path.of("../../" + part));
    }
  }

  private void mapped(String name, String uuid, String dmName, String... parts) throws IOException {
    device(name, parts);
    write(BLOCK + name + "/dm/uuid", uuid);
    write(BLOCK + name + "/dm/name", dmName);
  }

  /** What the doctor says of a volume on a device. */
  private String volumeOn(String device) throws IOException {
    return examine(device).stream()
        .filter(f -> f.check().equals("volume"))
        .map(Finding::toString)
        .collect(Collectors.joining());
  }

  private List<Finding> examine(String device) throws IOException {
    write("proc/self/mountinfo", "1 0 8:0 / /data rw - ext4 /dev/any rw");
    Path number = root.resolve("sys/dev/block/8:0");
    Files.createDirectories(number.getParent());
    Files.deleteIfExists(number);
    Files.createSymbolicLink(number, Path.of("../../devices/virtual/block/" + device));
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.data.dir", "/data");
    return new Doctor(new Host(root), new FakeCalls(), "").conf(conf).examine().findings();
  }

  private static void expect(String said, Severity severity, String... parts) {
    assertTrue(said.startsWith(severity.label()), said);
    for (String part : parts) {
      assertTrue(said.contains(part), part + " in " + said);
    }
  }

  /** The read-ahead of the device that has the file system counts, not that of its parts. */
  @Test
  void theLayoutOfADeviceAndItsReadAhead() throws IOException {
    device("md0", "sda", "sdb");
    write(BLOCK + "md0/md/level", "raid1");
    write(BLOCK + "md0/queue/read_ahead_kb", "4096");
    write(BLOCK + "sda/queue/read_ahead_kb", "128");
    mapped("dm-0", "LVM-abc", "vg-data", "md0");
    String md =
        "ok layout md0: raid1 of 2 disks, for which 2 streams have a turn at a time if it rotates;"
            + " the kernel reads 4096 KiB ahead on it, so of hadoop-prio's figures those of the"
            + " column 8192 apply";
    assertEquals(List.of(md), layoutOf("md0"));
    write(BLOCK + "dm-0/queue/read_ahead_kb", "4095");
    assertTrue(layoutOf("dm-0").get(0).contains("4095 KiB ahead on it, so of hadoop-prio's"));
    assertTrue(layoutOf("dm-0").get(0).contains("column 128 "), layoutOf("dm-0").toString());
    mapped("dm-1", "LVM-abd", "vg-two", "sda", "sdb");
    String two = layoutOf("dm-1").get(0);
    assertTrue(two.contains("2 disks, not known to be read at the same time, for which 1"), two);
    assertTrue(two.contains("its read-ahead is not known"), two);
  }

  private List<String> layoutOf(String device) throws IOException {
    return examine(device).stream()
        .filter(f -> f.check().equals("layout"))
        .map(f -> f.toString().replaceAll(" +", " "))
        .collect(Collectors.toList());
  }

  @Test
  void encryptionOverALogicalVolumeOverARaid() throws IOException {
    device("md0", "sda", "sdb");
    write(BLOCK + "md0/md/level", "raid1");
    mapped("dm-0", "LVM-abc", "vg-data", "md0");
    mapped("dm-1", "CRYPT-LUKS2-abc-data", "data", "dm-0");
    expect(
        volumeOn("dm-1"),
        Severity.ADVICE,
        "encrypted device data over LVM volume vg-data over a software RAID (raid1) over sda, sdb",
        "encrypted device data keeps a read's priority, but decrypts without regard to it",
        "LVM volume vg-data keeps",
        "software RAID (raid1) keeps",
        "the engine ncq cannot be used");
  }

  @Test
  void aRaid5KeepsThePriorityWhileItIsWhole() throws IOException {
    device("md0", "sda", "sdb");
    write(BLOCK + "md0/md/level", "raid5");
    write(BLOCK + "md0/md/degraded", "0");
    expect(volumeOn("md0"), Severity.ADVICE, "it keeps a read's priority while no disk has failed");
    write(BLOCK + "md0/md/degraded", "1");
    expect(
        volumeOn("md0"),
        Severity.PROBLEM,
        "(raid5), degraded",
        "it loses a read's priority",
        "replace the failed disk");
    write(BLOCK + "md0/md/degraded", "0");
    write(BLOCK + "md0/md/sync_action", "reshape");
    expect(volumeOn("md0"), Severity.PROBLEM, "being reshaped", "wait for the end");
  }

  @Test
  void whatAWorkerReadsKeepsItsPrioritySinceLinux68() throws IOException {
    mapped("dm-2", "LVM-abc-tdata", "vg-pool_tdata", "sda");
    mapped("dm-1", "LVM-abc-tpool", "vg-pool-tpool", "dm-2");
    mapped("dm-0", "LVM-abd", "vg-thin", "dm-1");
    String said = volumeOn("dm-0");
    expect(said, Severity.ADVICE, "dm-0: LVM volume vg-thin (thin) over sda; it keeps");
    write("proc/sys/kernel/osrelease", "6.1.0-18-amd64");
    expect(volumeOn("dm-0"), Severity.PROBLEM, "loses the priority", "use Linux 6.8");
    mapped("dm-3", "CRYPT-INTEGRITY-x", "sums", "sdb");
    expect(volumeOn("dm-3"), Severity.PROBLEM, "integrity device sums over sdb", "loses");
    // The same kernel sends reads of a plain logical volume on the thread that reads.
    mapped("dm-4", "LVM-abe", "vg-plain", "sdb");
    expect(volumeOn("dm-4"), Severity.ADVICE, "it keeps a read's priority");
  }

  @Test
  void aLogicalVolumeOfRaidAndWhatIsNotKnown() throws IOException {
    mapped("dm-1", "LVM-abc", "vg-data_rimage_0", "sda");
    mapped("dm-2", "LVM-abd", "vg-data_rimage_1", "sdb");
    mapped("dm-0", "LVM-abe", "vg-data", "dm-1", "dm-2");
    expect(volumeOn("dm-0"), Severity.ADVICE, "LVM volume vg-data (RAID) over sda, sdb");
    device("bcache0", "sda", "sdb");
    expect(volumeOn("bcache0"), Severity.ADVICE, "the device bcache0 over sda, sdb", "may lose");
    mapped("dm-5", "VENDOR-1", "odd", "sda");
    expect(volumeOn("dm-5"), Severity.ADVICE, "device mapper device odd", "may lose");
  }

  /** Its own scheduler orders the requests, those of the paths are bypassed (dm-rq.c). */
  @Test
  void aMultipathDeviceIsTheDisk() throws IOException {
    mapped("dm-0", "mpath-3600", "mpatha", "sda", "sdb");
    write(BLOCK + "dm-0/queue/scheduler", "[mq-deadline] none");
    write(BLOCK + "dm-0/queue/iosched/prio_aging_expire", "10000");
    List<Finding> findings = examine("dm-0");
    List<String> schedulers =
        findings.stream()
            .filter(f -> f.check().equals("io-scheduler"))
            .map(f -> f.severity() + " " + f.subject())
            .collect(Collectors.toList());
    assertEquals(List.of("OK dm-0"), schedulers, findings.toString());
  }

  private String ncq() throws IOException {
    return examine("sda").stream()
        .filter(f -> f.check().equals("ncq"))
        .map(Finding::toString)
        .collect(Collectors.joining());
  }

  @Test
  void anHbaThatMakesSataCommandsHasSwitchesOfItsOwn() throws IOException {
    String directory = BLOCK + "sda/device/sas_ncq_prio_";
    write(directory + "supported", "1");
    write(directory + "enable", "0");
    expect(
        ncq(), Severity.ADVICE, "it is off", "echo 1 > /sys/block/sda/device/sas_ncq_prio_enable");
    write(directory + "enable", "1");
    expect(ncq(), Severity.OK, "NCQ priority is on");
    write(directory + "supported", "0");
    write(directory + "enable", "0");
    expect(ncq(), Severity.OK, "the drive has no NCQ priority");
  }
}
