// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.metrics.VolumeStatus;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.Volume;

/** Checks what a DataNode's scheduler of disk time does on each volume, and why. */
final class DiskTimeCheck {

  private static final String CHECK = "disk-time";
  private static final String TURNS = VolumeMode.TURNS.toString();
  private static final String DATA_DIR = "dfs.datanode.data.dir";
  private static final String RELOAD =
      "correct the key, then hdfs dfsadmin -reconfig datanode HOST:IPC_PORT start";

  private final Report report;
  private final Map<Path, DiskOrder> orders = new HashMap<>();

  DiskTimeCheck(Report report) {
    this.report = report;
  }

  /** Who orders requests on each volume of which the DataNode says so. */
  Map<Path, DiskOrder> orders() {
    return orders;
  }

  /**
   * Checks all volumes of a DataNode.
   *
   * @param bean the agent's MXBean; that of an older agent has no volumes
   */
  void volumes(JsonNode bean) {
    boolean hooked = true;
    for (JsonNode hook : bean.path("Hooks")) {
      hooked &= !(hook.asText().startsWith("scheduler/") && hook.asText().contains(": off"));
    }
    for (JsonNode status : bean.path("Volumes")) {
      volume(status, hooked);
    }
  }

  /** Reports on one volume; see {@link VolumeStatus}. */
  private void volume(JsonNode status, boolean hooked) {
    String volume = status.path("volume").asText();
    String mode = status.path("mode").asText();
    String wanted = status.path("wanted").asText();
    orders.put(Path.of(volume).normalize(), order(mode));
    if (mode.equals(TURNS)) {
      turns(volume, status);
    } else if (mode.equals(wanted)) {
      report.ok(CHECK, volume, mode + ", as configured: " + meaning(mode, status.path("observed")));
    } else {
      String text = mode + ", not " + wanted + ": " + status.path("reason").asText();
      if (wanted.equals(TURNS) && !hooked) {
        report.problem(CHECK, volume, text, "see the check of the agent");
      } else if (status.path("device").asText().isEmpty()) {
        report.advice(
            CHECK,
            volume,
            text,
            "move the volume to a local disk, or add "
                + volume
                + "="
                + mode
                + " to the value of "
                + SchedulerKeys.MODE.name());
      } else {
        report.ok(CHECK, volume, text);
      }
    }
  }

  private static DiskOrder order(String mode) {
    if (mode.equals(TURNS)) {
      return DiskOrder.DATANODE;
    }
    boolean stock =
        mode.equals(VolumeMode.OBSERVE.toString()) || mode.equals(VolumeMode.OFF.toString());
    return stock ? DiskOrder.NOBODY : DiskOrder.KERNEL;
  }

  private static String meaning(String mode, JsonNode observed) {
    if (mode.equals(VolumeMode.OBSERVE.toString())) {
      return "stock reads; "
          + observed.path("waits").asLong()
          + " of "
          + observed.path("reads").asLong()
          + " would probably have waited in mode turns";
    }
    return mode.equals(VolumeMode.OFF.toString())
        ? "stock reads, without a priority"
        : "only the kernel orders reads, and nothing limits real-time";
  }

  private void turns(String volume, JsonNode status) {
    int streams = status.path("streams").asInt();
    String text =
        "turns on "
            + status.path("device").asText()
            + ", "
            + streams
            + (streams == 1 ? " stream" : " streams")
            + " at a time; real-time may use "
            + status.path("realtimeShare").asText()
            + " of its time while others wait";
    JsonNode queue = status.path("queue");
    List<String> faults = new ArrayList<>();
    fault(faults, queue.path("overdueWaits"), "waits had to be ended");
    fault(faults, queue.path("lostReads"), "reads did not return from the disk in time");
    fault(faults, queue.path("refusedTurns"), "turns had no thread, as too many were at the disk");
    String remedy = "see the DataNode's log, and the kernel's for errors of the disk";
    if (queue.path("open").asBoolean()) {
      String open =
          "no read waits for its turn at present, because none was given one for too long";
      report.problem(CHECK, volume, text + "; " + open, remedy);
    } else if (faults.isEmpty()) {
      report.ok(CHECK, volume, text);
    } else {
      report.advice(CHECK, volume, text + "; " + String.join(", ", faults), remedy);
    }
  }

  private static void fault(List<String> faults, JsonNode count, String what) {
    if (count.asLong() > 0) {
      faults.add(count.asLong() + " " + what);
    }
  }

  /**
   * Checks that each directory of the mode's key is a volume, since an entry for another directory
   * has no effect.
   *
   * @param subject the DataNode
   * @param volumes the volumes that it uses
   */
  void configuration(String subject, Configuration conf, List<Volume> volumes) {
    Set<Path> allowed = new TreeSet<>();
    volumes.forEach(volume -> allowed.add(Path.of(volume.path()).normalize()));
    // A volume that has failed is still one.
    Volume.parse(conf.getTrimmed(DATA_DIR, ""))
        .forEach(volume -> allowed.add(Path.of(volume.path()).normalize()));
    String key = SchedulerKeys.MODE.name();
    try {
      for (Path named : SchedulerKeys.MODE.parse(conf.getTrimmed(key)).directories()) {
        if (!allowed.contains(named)) {
          report.problem(
              "config",
              subject,
              key
                  + " names "
                  + named
                  + ", which is not a volume; allowed are the directories of "
                  + DATA_DIR
                  + ": "
                  + allowed,
              RELOAD);
        }
      }
    } catch (IllegalArgumentException e) {
      report.problem("config", subject, e.getMessage(), RELOAD);
    }
  }
}
