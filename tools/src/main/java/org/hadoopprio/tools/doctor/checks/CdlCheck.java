// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.linux.NcqPriority;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.SysfsDevice;

/**
 * Checks one disk's command duration limits: what the kernel says of them, and what the drive
 * itself says, which {@code pbs cdl} of the package asks it.
 */
final class CdlCheck {

  private static final String CHECK = "cdl";
  private static final String AS_ROOT = "run the doctor as root";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** More than the 30 s after which the kernel gives up one command to a drive. */
  private static final Duration LIMIT = Duration.ofSeconds(45);

  private final Host host;
  private final SysfsDevice disk;
  private final Report report;
  private final boolean enabled;

  CdlCheck(Host host, SysfsDevice disk, Report report) {
    this.host = host;
    this.disk = disk;
    this.report = report;
    this.enabled = "1".equals(disk.read("device/cdl_enable").orElse(""));
  }

  void run() {
    String supported = disk.read("device/cdl_supported").orElse("");
    if (!"1".equals(supported)) {
      ok(
          supported.isEmpty()
              ? "this kernel shows no command duration limits"
              : "the drive has no command duration limits");
      return;
    }
    kernel();
    answer().ifPresent(this::drive);
  }

  private void ok(String text) {
    report.ok(CHECK, disk.name(), text);
  }

  private String echo(int value) {
    return "echo " + value + " > /sys/block/" + disk.name() + "/device/cdl_enable";
  }

  /** The kernel has one of both on at most (drivers/ata/libata-scsi.c, libata-sata.c). */
  private void kernel() {
    if (enabled) {
      report.advice(
          CHECK,
          disk.name(),
          "command duration limits are on; the kernel cannot use NCQ priority at the same time",
          "if NCQ priority is wanted: " + echo(0));
    } else if (NcqPriority.of(disk::read).isEnabled().orElse(false)) {
      ok(
          "the drive has command duration limits; they are off, and the kernel refuses to switch"
              + " them on while NCQ priority is on");
    } else {
      ok(
          "the drive has command duration limits; they are off, as they are by default, also behind"
              + " a SAS HBA");
    }
  }

  private Optional<JsonNode> answer() {
    String program = host.program("pbs");
    String device = host.path("/dev/" + disk.name()).toString();
    Optional<Host.Ended> ended = host.run(LIMIT, program, "cdl", "--json", device);
    if (ended.isEmpty()) {
      unknown(program + " cannot be run, or did not end", "install hadoop-prio's package here");
      return Optional.empty();
    }
    try {
      if (ended.get().isSuccess()) {
        return Optional.of(JSON.readTree(ended.get().output()));
      }
      unknown(ended.get().errors(), AS_ROOT);
    } catch (JsonProcessingException e) {
      unknown(program + " is not that of this version", "install hadoop-prio's package here");
    }
    return Optional.empty();
  }

  private void unknown(String reason, String remedy) {
    report.skipped(
        CHECK, disk.name(), "what the drive itself says is not known: " + reason, remedy);
  }

  private void drive(JsonNode answer) {
    JsonNode drive = answer.path("drive");
    if (!drive.path("supported").asBoolean()) {
      unknown("it has no limits that pbs reads", "");
      return;
    }
    JsonNode on = drive.path("enabled");
    if (on.isBoolean()) {
      state(answer.path("ata").asBoolean(), on.asBoolean());
    } else {
      unknown(answer.path("log_refused").asText(""), AS_ROOT);
    }
    descriptors(answer);
    String refused = answer.path("statistics_refused").asText("");
    if (on.isBoolean() && !refused.isEmpty()) {
      ok("the drive's counters cannot be read: " + refused);
    }
  }

  private void state(boolean ata, boolean on) {
    if (!ata) {
      ok("a SCSI drive has no switch of its own: cdl_enable decides");
    } else if (on == enabled) {
      ok("the drive itself says that they are " + (on ? "on" : "off"));
    } else if (enabled) {
      // "ata: libata-scsi: Fix CDL control", also in some stable releases before.
      report.problem(
          CHECK,
          disk.name(),
          "cdl_enable is 1, but the drive itself says that command duration limits are off: before"
              + " Linux 6.17 the switch fails without an error if NCQ commands are at the drive",
          "while the disk is idle: " + echo(0) + " && " + echo(1));
    } else {
      report.advice(
          CHECK,
          disk.name(),
          "cdl_enable is 0, but the drive itself says that command duration limits are on",
          echo(1) + " && " + echo(0));
    }
  }

  private void descriptors(JsonNode answer) {
    boolean any = false;
    for (String direction : List.of("read", "write")) {
      for (JsonNode descriptor : answer.path(direction)) {
        any |= descriptor(direction, descriptor, answer.path("ata").asBoolean());
      }
    }
    if (!any) {
      ok("no descriptor has a limit: a hint has no effect on this drive");
    }
  }

  /** Reports a descriptor if there is something in it. */
  private boolean descriptor(String direction, JsonNode descriptor, boolean ata) {
    String odd = descriptor.path("odd").asText("");
    String text =
        direction
            + " "
            + descriptor.path("index").asInt()
            + ": "
            + descriptor.path("text").asText()
            + counters(descriptor.path("counters"));
    if (!odd.isEmpty()) {
      report.advice(
          CHECK, disk.name(), text + "; not valid: " + odd, "correct it, e.g. with cdladm");
    } else if (ata && givesUp(descriptor)) {
      // libata's error handling: ata_qc_complete, scsi_error_handler.
      report.advice(
          CHECK,
          disk.name(),
          text
              + "; whenever the drive gives up a command, the kernel closes it to all until it"
              + " holds no other",
          "use complete-earliest on SATA drives, or do not name this descriptor");
    } else if (!descriptor.path("limits").isEmpty()) {
      ok(text);
    } else {
      return false;
    }
    return true;
  }

  private static boolean givesUp(JsonNode descriptor) {
    return descriptor.path("limits").findValuesAsText("policy").contains("complete-unavailable");
  }

  private static String counters(JsonNode counters) {
    StringBuilder text = new StringBuilder();
    for (JsonNode counter : counters) {
      text.append(text.length() == 0 ? "; " : ", ")
          .append(counter.path("counts").asText())
          .append(": ")
          .append(counter.path("value").asText("unknown"));
    }
    return text.toString();
  }
}
