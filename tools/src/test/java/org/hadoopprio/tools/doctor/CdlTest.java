// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.tools.node.Finding;
import org.hadoopprio.tools.node.Host;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk's command duration limits: what the kernel says, and a pbs that says what the drive does.
 */
class CdlTest {

  private static final String DEVICE = "sys/devices/virtual/block/sda/device/";
  private static final String PBS = "opt/hadoop-prio/bin/pbs";

  @TempDir private Path root;

  @BeforeEach
  void aDisk() throws IOException {
    write("proc/sys/kernel/osrelease", "6.12.0");
    write("proc/self/mountinfo", "1 0 8:0 / /data rw - ext4 /dev/sda rw");
    write("sys/devices/virtual/block/sda/queue/scheduler", "[mq-deadline] none");
    Files.createDirectories(root.resolve("sys/dev/block"));
    Files.createSymbolicLink(
        root.resolve("sys/dev/block/8:0"), Path.of("../../devices/virtual/block/sda"));
    write(DEVICE + "cdl_supported", "1");
    write(DEVICE + "cdl_enable", "0");
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  /** Makes pbs a shell script. */
  private void pbs(String script) throws IOException {
    write(PBS, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(root.resolve(PBS), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Makes pbs print this answer for the disk, and fail for anything else. */
  private void answer(String... members) throws IOException {
    pbs(
        "[ \"$*\" = \"cdl --json "
            + root.resolve("dev/sda")
            + "\" ] || exit 3\ncat <<'END'\n{\"disk\": \"sda\", "
            + String.join(", ", members)
            + "}\nEND\n");
  }

  private static String drive(boolean ata, String enabled) {
    return "\"ata\": " + ata + ", \"drive\": {\"supported\": true, \"enabled\": " + enabled + "}";
  }

  private static String descriptors(String direction, String... descriptors) {
    return "\"" + direction + "\": [" + String.join(", ", descriptors) + "]";
  }

  private static String descriptor(int index, String text, String odd, String counters) {
    return "{\"index\": "
        + index
        + ", \"text\": \""
        + text
        + "\", \"limits\": "
        + (text.equals("no limit") ? "{}" : "{\"active\": {}}")
        + ", \"odd\": "
        + odd
        + ", \"counters\": ["
        + counters
        + "]}";
  }

  private List<Finding> examine() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.data.dir", "/data");
    return new Doctor(new Host(root), new FakeCalls(), "")
        .conf(conf).examine().findings().stream()
            .filter(f -> f.check().equals("cdl"))
            .collect(Collectors.toList());
  }

  /** What the doctor says of the disk, a line for each finding: severity, text, remedy. */
  private String said() {
    return examine().stream()
        .map(f -> f.severity().label() + " " + f.text() + " -> " + f.remedy())
        .collect(Collectors.joining("\n"));
  }

  private void expect(String... parts) {
    String said = said();
    for (String part : parts) {
      assertTrue(said.contains(part), part + " in\n" + said);
    }
  }

  @Test
  void offByDefault() throws IOException {
    answer(drive(true, "false"), "\"statistics_refused\": null");
    expect(
        "ok the drive has command duration limits; they are off, as they are by default, also behind"
            + " a SAS HBA",
        "ok the drive itself says that they are off",
        "ok no descriptor has a limit: a hint has no effect");
  }

  @Test
  void offBecauseOfNcqPriority() throws IOException {
    write(DEVICE + "ncq_prio_supported", "1");
    write(DEVICE + "ncq_prio_enable", "1");
    answer(drive(true, "false"));
    expect("ok the drive has command duration limits; they are off, and the kernel refuses to");
  }

  @Test
  void onForTheKernelOnly() throws IOException {
    write(DEVICE + "cdl_enable", "1");
    answer(drive(true, "false"));
    expect(
        "advice command duration limits are on; the kernel cannot use NCQ priority",
        "problem cdl_enable is 1, but the drive itself says",
        "Linux 6.17",
        "while the disk is idle: echo 0 > /sys/block/sda/device/cdl_enable && echo 1 >");
  }

  @Test
  void onForTheDriveOnly() throws IOException {
    answer(drive(true, "true"));
    expect("advice cdl_enable is 0, but the drive itself says");
  }

  @Test
  void aScsiDriveHasNoSwitch() throws IOException {
    answer(drive(false, "true"));
    expect("ok a SCSI drive has no switch of its own");
  }

  @Test
  void descriptorsAndCountersHaveALineEach() throws IOException {
    write(DEVICE + "cdl_enable", "1");
    answer(
        drive(true, "true"),
        descriptors(
            "read",
            descriptor(
                1,
                "active 50 ms abort",
                "null",
                "{\"counts\": \"commands\", \"value\": 8},"
                    + " {\"counts\": \"active exceeded\", \"value\": null}"),
            descriptor(2, "no limit", "null", ""),
            descriptor(3, "active 1 ms reserved", "\"active has the reserved policy 7h\"", "")),
        descriptors("write", descriptor(7, "active 500 ms abort", "null", "")),
        "\"statistics_refused\": \"log 04h: no\"");
    assertEquals(
        List.of(
            "ADVICE command duration limits are on; the kernel cannot use NCQ priority at the same"
                + " time",
            "OK the drive itself says that they are on",
            "OK read 1: active 50 ms abort; commands: 8, active exceeded: unknown",
            "ADVICE read 3: active 1 ms reserved; not valid: active has the reserved policy 7h",
            "OK write 7: active 500 ms abort",
            "OK the drive's counters cannot be read: log 04h: no"),
        examine().stream().map(f -> f.severity() + " " + f.text()).collect(Collectors.toList()));
  }

  /** The answer is that of pbs in a guest of lab/wire, case d05. */
  @Test
  void whatPbsPrintsIsUnderstood() throws IOException {
    try (InputStream in = CdlTest.class.getResourceAsStream("cdl.json")) {
      pbs("cat <<'END'\n" + new String(in.readAllBytes(), StandardCharsets.UTF_8) + "END\n");
    }
    assertEquals(
        List.of(
            "the drive has command duration limits; they are off, as they are by default, also behind"
                + " a SAS HBA",
            "the drive itself says that they are off",
            "read 1: inactive 50 ms abort, active 123456 us complete-unavailable, guideline 9999 us"
                + " continue-next-limit; commands: 45; whenever the drive gives up a command, the"
                + " kernel closes it to all until it holds no other",
            "read 2: guideline 4294967295 us abort",
            "write 7: active 20 ms abort"),
        examine().stream().map(Finding::text).collect(Collectors.toList()));
  }

  /** Without root the limits are the kernel's, and the switch is unknown. */
  @Test
  void withoutRootTheDriveIsNotKnown() throws IOException {
    answer(
        drive(true, "null"),
        "\"log_refused\": \"log 00h page 00h: SG_IO: Operation not permitted\"",
        descriptors("read", descriptor(1, "active 50 ms unknown", "null", "")),
        "\"statistics_refused\": \"they are in the drive's log only\"");
    expect(
        "skipped what the drive itself says is not known: log 00h page 00h: SG_IO: Operation not"
            + " permitted -> run the doctor as root",
        "ok read 1: active 50 ms unknown");
    pbs("echo '  pbs cdl: /dev/sda: Permission denied' >&2\nexit 1");
    expect("skipped what the drive", "/dev/sda: Permission denied -> run the doctor as root");
  }

  @Test
  void aPbsThatIsMissingOrAnotherOneIsTold() throws IOException {
    expect("skipped what the drive", "/opt/hadoop-prio/bin/pbs cannot be run", "install");
    pbs("echo 'usage: pbs'");
    expect("skipped what the drive", "is not that of this version");
    answer("\"drive\": {\"supported\": false}");
    expect("skipped what the drive itself says is not known: it has no limits that pbs reads");
  }

  @Test
  void aDiskWithoutLimitsIsNotAsked() throws IOException {
    pbs("exit 1");
    write(DEVICE + "cdl_supported", "0");
    assertEquals("ok the drive has no command duration limits -> ", said());
    Files.delete(root.resolve(DEVICE + "cdl_supported"));
    assertEquals("ok this kernel shows no command duration limits -> ", said());
  }

  @Test
  void aProgramThatDoesNotEndIsKilled() throws IOException {
    pbs("exec sleep 60");
    long begin = System.nanoTime();
    assertTrue(new Host(root).run(Duration.ofMillis(200), "/" + PBS).isEmpty());
    assertTrue(Duration.ofNanos(System.nanoTime() - begin).toSeconds() < 30);
  }
}
