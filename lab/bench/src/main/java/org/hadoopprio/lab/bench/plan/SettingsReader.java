// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.config.HdfsKeys;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.disk.Drive;
import org.hadoopprio.lab.disk.VirtualDisk;

/** Reads what a plan says of its cluster, of what lies on it, and of configuration keys. */
final class SettingsReader {

  static final String DATA_NODE = "datanode";
  static final String REGION_SERVER = "regionserver";

  private static final int MAX_DISK_MIB = 64 << 10;
  private static final int LITTLE_MEMORY_MIB = 512;
  private static final int MAX_COUNT = 1000;
  private static final int MAX_VALUE_BYTES = 1 << 20;

  private static final List<String> PRESETS =
      Arrays.stream(Drive.values()).map(Drive::preset).toList();

  private SettingsReader() {}

  static Plan.Cluster cluster(PlanNode node) {
    node.map(
        List.of(
            "hbase",
            "disk-mib",
            "datanode-mib",
            "filler",
            "allow-lateness",
            "drives",
            DATA_NODE,
            REGION_SERVER));
    Map<String, Plan.DriveSetting> drives = new LinkedHashMap<>();
    node.find("drives")
        .ifPresent(all -> all.map().forEach((name, drive) -> drives.put(name, drive(drive))));
    return new Plan.Cluster(
        node.find("hbase").map(PlanNode::flag).orElse(false),
        node.get("disk-mib").number(256, MAX_DISK_MIB),
        node.find("datanode-mib").map(n -> n.number(256, MAX_DISK_MIB)).orElse(LITTLE_MEMORY_MIB),
        node.find("filler").map(PlanNode::text),
        node.find("allow-lateness").map(PlanNode::flag).orElse(false),
        drives,
        keys(node.find(DATA_NODE), HdfsKeys.all()),
        keys(node.find(REGION_SERVER), HBaseKeys.all()));
  }

  private static Plan.DriveSetting drive(PlanNode node) {
    node.map(List.of("preset", "write-cache", "async-depth"));
    return new Plan.DriveSetting(
        node.find("preset")
            .map(n -> EnumNames.of(Drive.class, n.oneOf("drive", PRESETS)))
            .orElse(VirtualDisk.DRIVE),
        node.find("write-cache").map(PlanNode::flag).orElse(true),
        node.find("async-depth").map(depth -> depth.number(1, MAX_COUNT)));
  }

  static Data data(PlanNode node) {
    if (node.find("files").isPresent()) {
      return files(node);
    }
    if (node.find("text").isPresent()) {
      node.map(List.of("text", "mib"));
      return new Data.Text(node.get("text").text(), bytes(node));
    }
    node.map(List.of("table", "regions", "mib", "value-bytes", "between"));
    int valueBytes = node.get("value-bytes").number(1, MAX_VALUE_BYTES);
    return new Data.Table(
        node.get("table").text(),
        node.get("regions").number(1, MAX_COUNT),
        bytes(node) / valueBytes,
        valueBytes,
        node.find("between").map(SettingsReader::files));
  }

  private static Data.Files files(PlanNode node) {
    node.map(List.of("files", "first", "count", "mib"));
    return new Data.Files(
        node.get("files").text(),
        node.find("first").map(n -> n.number(0, MAX_COUNT)).orElse(0),
        node.get("count").number(1, MAX_COUNT),
        bytes(node));
  }

  private static long bytes(PlanNode node) {
    return (long) node.get("mib").number(1, MAX_DISK_MIB) << 20;
  }

  /** Configuration keys; those of hadoop-prio must be known, and their values allowed. */
  private static Map<String, String> keys(Optional<PlanNode> node, List<ConfigKey<?>> known) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (Map.Entry<String, PlanNode> entry : node.map(n -> n.map()).orElse(Map.of()).entrySet()) {
      String key = entry.getKey();
      String value = entry.getValue().text();
      Optional<ConfigKey<?>> own = known.stream().filter(k -> k.name().equals(key)).findFirst();
      if (own.isPresent()) {
        checked(entry.getValue(), () -> own.get().parse(value));
      } else if (key.contains(".io.priority.")) {
        throw entry.getValue().unknown("key", key, known.stream().map(ConfigKey::name).toList());
      }
      keys.put(key, value);
    }
    return keys;
  }

  /** The names of tenants, each once. */
  static List<String> tenants(PlanNode node) {
    List<String> names = new ArrayList<>();
    for (PlanNode each : node.list()) {
      if (!each.text().matches(Tenants.NAME)) {
        throw each.error("\"" + each.text() + "\" as a tenant; allowed: " + Tenants.ALLOWED);
      }
      if (names.contains(each.text())) {
        throw each.error("tenant \"" + each.text() + "\" is there twice");
      }
      names.add(each.text());
    }
    return names;
  }

  /** Does what fails if a value is not allowed, and names its line. */
  static void checked(PlanNode node, Runnable check) {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      throw node.error(e.getMessage());
    }
  }

  /** The keys of a system, which are changed while the daemons run. */
  static Map<String, String> liveKeys(Optional<PlanNode> node, List<ConfigKey<?>> known) {
    Map<String, String> keys = keys(node, known);
    List<String> live =
        known.stream().filter(ConfigKey::isReloadable).map(ConfigKey::name).toList();
    node.map(PlanNode::map)
        .orElse(Map.of())
        .forEach(
            (key, value) -> {
              if (!live.contains(key)) {
                throw value.error(
                    "key \""
                        + key
                        + "\" is not changed while a daemon runs; allowed in a system: "
                        + String.join(", ", live));
              }
            });
    return keys;
  }
}
