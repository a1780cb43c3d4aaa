// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import static org.apache.hadoop.metrics2.lib.Interns.info;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoRole;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes {@link PriorityMetrics} in Hadoop's metrics system, and so in {@code /jmx}, {@code
 * /prom} and every configured sink. HBase's daemons use the same system. Thread-safe.
 */
public final class PriorityMetricsSource {

  /** The record of the counters of the whole process. */
  public static final String RECORD = "IoPriority";

  /** The record of block reads, one for each class. */
  public static final String READS_RECORD = "IoPriorityReads";

  /** The record of block writes, one for each class. */
  public static final String WRITES_RECORD = "IoPriorityWrites";

  /** The record of what a DataNode reads and writes, one for each role and class. */
  public static final String ROLES_RECORD = "IoPriorityRoles";

  /** The record of RPC calls, one for each class. */
  public static final String CALLS_RECORD = "IoPriorityCalls";

  /** The record of the engines, one for each volume with an engine. */
  public static final String ENGINES_RECORD = "IoPriorityEngines";

  /** The record of the schedulers of disk time, one for each volume of a DataNode. */
  public static final String VOLUMES_RECORD = "IoPriorityVolumes";

  /** The record of tenants, one for each volume of a DataNode and each that has used it. */
  public static final String TENANTS_RECORD = "IoPriorityTenants";

  /** The record of the policies in force. */
  public static final String POLICIES_RECORD = "IoPriorityPolicies";

  /** The record that names the agent's version. */
  public static final String BUILD_RECORD = "IoPriorityBuild";

  static final String CONTEXT = "ioPriority";

  static final MetricsInfo VOLUME = info("volume", "Directory of the volume");

  private static final Logger LOG = LoggerFactory.getLogger(PriorityMetricsSource.class);

  private static volatile HookStatus hooks;
  private static volatile String version = "";
  private static boolean processShown;
  private static boolean callsShown;

  private PriorityMetricsSource() {}

  /** Sets the agent's version, and its hooks, whose number the process's record shows. */
  public static void setAgent(String agentVersion, HookStatus status) {
    version = agentVersion;
    hooks = status;
  }

  /**
   * Registers the process's counters, block reads, engines and volumes; a second call does nothing.
   */
  public static synchronized void register() {
    if (!processShown) {
      processShown = true;
      show(RECORD, "I/O priorities", process());
      show(BUILD_RECORD, "The agent", build());
      showClasses(READS_RECORD, "Block reads with an I/O priority", PriorityMetrics::reads);
      showClasses(WRITES_RECORD, "Block writes with an I/O priority", PriorityMetrics::writes);
      show(POLICIES_RECORD, "Policies in force", PoliciesRecord.source(PriorityMetrics::policies));
      List<RecordSources> records =
          List.of(
              new RecordSources("Requests by role", PriorityMetricsSource::roles),
              new RecordSources("Engines of volumes", PriorityMetricsSource::engines),
              new RecordSources("Disk time of volumes", PriorityMetricsSource::volumes),
              new RecordSources(
                  "Disk time of tenants", new TenantsRecord(PriorityMetrics::volumes)::sources));
      PriorityMetrics.setRecordsListener(() -> records.forEach(RecordSources::changed));
      PriorityMetrics.recordsChanged();
    }
  }

  /** Registers RPC calls as well; a second call does nothing. */
  public static synchronized void registerCalls() {
    register();
    if (!callsShown) {
      callsShown = true;
      showClasses(CALLS_RECORD, "RPC calls with an I/O priority", PriorityMetrics::calls);
    }
  }

  private static void showClasses(
      String record, String description, Function<IoClass, ClassMetrics> of) {
    for (IoClass ioClass : IoClass.values()) {
      if (ioClass != IoClass.NONE) {
        MetricsSource source =
            ofClass(record, ioClass, of.apply(ioClass), ClassMetrics.QUANTILES_SECONDS);
        show(record + "-" + ioClass.shortName(), description + " in one class", source);
      }
    }
  }

  /** A failure is logged only: a daemon must not fail to start because of metrics. */
  static void show(String name, String description, MetricsSource source) {
    try {
      MetricsSystem system = DefaultMetricsSystem.instance();
      if (system.getSource(name) == null) {
        system.register(name, description, source);
      }
    } catch (RuntimeException e) {
      LOG.warn("Cannot register {} with the metrics system: {}", name, e.toString());
    }
  }

  /** The source of the counters of the whole process. */
  public static MetricsSource process() {
    return (collector, all) -> {
      // Nobody tells when a volume is taken out, or that a DataNode has reached a NameNode.
      PriorityMetrics.recordsChanged();
      MetricsRecordBuilder record = collector.addRecord(RECORD).setContext(CONTEXT);
      for (NamedCounter counter : PriorityMetrics.counters()) {
        record.addCounter(info(counter.name(), counter.description()), counter.shown());
      }
      HookStatus status = hooks;
      record.addGauge(
          info("HooksApplied", "Hooks of the agent that are in force in this process"),
          status == null ? 0 : status.applied());
      record.addGauge(
          info("HooksTotal", "Hooks of the modules whose classes this process uses"),
          status == null ? 0 : status.total());
      record.addGauge(
          info(
              "Off",
              "Modules of the agent that are switched off while this process runs; 0 for on"),
          OffSwitch.modules());
      record.addGauge(
          info(
              "Observing",
              "1 while a RegionServer only observes, and its calls are served as in stock HBase;"
                  + " otherwise 0"),
          OffSwitch.isObserving() ? 1 : 0);
      record.addGauge(
          info(
              "Regions",
              "Open regions of a RegionServer that have the coprocessor; 0 where there is none"),
          PriorityMetrics.regions());
      Double share = PriorityMetrics.realtimeShare();
      record.addGauge(
          info(
              "RealtimeShare",
              "Share of a volume's disk time to which real-time reads are limited; 0 where there is no DataNode"),
          share == null ? 0 : share);
    };
  }

  /** A record of its own: as a tag of the counters the version would begin new ones with each. */
  private static MetricsSource build() {
    return (collector, all) ->
        collector
            .addRecord(BUILD_RECORD)
            .setContext(CONTEXT)
            .tag(info("version", "Version of the agent"), version)
            .addGauge(
                info("Info", "1; the tag says which version of the agent this process has"), 1);
  }

  /** The source of one class. */
  static MetricsSource ofClass(
      String recordName, IoClass ioClass, ClassMetrics metrics, int quantilesSeconds) {
    return (collector, all) -> {
      MetricsRecordBuilder record = collector.addRecord(recordName).setContext(CONTEXT);
      add(
          record,
          ioClass,
          metrics,
          info("Requests", "Requests served in this class because of a priority"),
          info("Bytes", "Bytes sent to clients, or received from them, in these requests"),
          quantilesSeconds);
    };
  }

  private static Map<String, MetricsSource> roles() {
    Map<String, MetricsSource> sources = new LinkedHashMap<>();
    PriorityMetrics.roles()
        .forEach(
            (role, classes) ->
                classes.forEach(
                    (ioClass, metrics) ->
                        sources.put(
                            ROLES_RECORD + "-" + role + "-" + ioClass.shortName(),
                            ofRole(role, ioClass, metrics))));
    return sources;
  }

  private static MetricsSource ofRole(IoRole role, IoClass ioClass, ClassMetrics metrics) {
    return (collector, all) -> {
      MetricsRecordBuilder record = collector.addRecord(ROLES_RECORD).setContext(CONTEXT);
      add(
          record.tag(info("role", "What the requests are for"), role.toString()),
          ioClass,
          metrics,
          info("Requests", "Block reads and writes, and other work, in this role and class"),
          info("Bytes", "Bytes of blocks sent, received or read in them"),
          ClassMetrics.QUANTILES_SECONDS);
    };
  }

  static Map<String, MetricsSource> volumes() {
    Map<String, MetricsSource> sources = new LinkedHashMap<>();
    for (VolumeStatus status : PriorityMetrics.volumes()) {
      String volume = status.getVolume();
      sources.put(
          RecordSources.name(VOLUMES_RECORD, volume),
          (collector, all) ->
              one(PriorityMetrics.volumes(), volume, VolumeStatus::getVolume)
                  .ifPresent(now -> VolumesRecord.add(collector, now)));
    }
    return sources;
  }

  private static Map<String, MetricsSource> engines() {
    Map<String, MetricsSource> sources = new LinkedHashMap<>();
    for (EngineStatus status : PriorityMetrics.engines()) {
      String volume = status.getVolume();
      sources.put(
          RecordSources.name(ENGINES_RECORD, volume),
          (collector, all) ->
              one(PriorityMetrics.engines(), volume, EngineStatus::getVolume)
                  .ifPresent(now -> addEngine(collector, now)));
    }
    return sources;
  }

  /** The status of one volume; its source is there for a little longer than the volume. */
  private static <S> Optional<S> one(List<S> all, String volume, Function<S, String> volumeOf) {
    return all.stream().filter(status -> volumeOf.apply(status).equals(volume)).findAny();
  }

  private static void add(
      MetricsRecordBuilder record,
      IoClass ioClass,
      ClassMetrics metrics,
      MetricsInfo requests,
      MetricsInfo bytes,
      int quantilesSeconds) {
    record
        .tag(info("class", "I/O class: rt, be or idle; of roles also none"), ioClass.shortName())
        .addCounter(requests, metrics.requests().sum())
        .addCounter(bytes, metrics.bytes().sum());
    metrics.latency(quantilesSeconds).snapshot(record, true);
  }

  private static void addEngine(MetricsCollector collector, EngineStatus status) {
    collector
        .addRecord(ENGINES_RECORD)
        .setContext(CONTEXT)
        .tag(VOLUME, status.getVolume())
        .tag(info("engine", "Engine in force: thread, direct or ncq"), status.getEngine())
        .addCounter(
            info("EngineReads", "Reads of at most 260 KiB that the engine has done"),
            status.getReads())
        .addCounter(
            info("EngineCached", "Reads served from the page cache without the engine"),
            status.getCached())
        .addCounter(
            info(
                "EngineFallbacks",
                "Reads done by stock HDFS code because the configured engine could not do them"),
            status.getFallbacks())
        .addCounter(
            info(
                "EngineHinted",
                "Requests to the drive that named one of its command duration limits"),
            status.getHinted())
        .addCounter(
            info(
                "EngineExpired",
                "Requests that the drive ended without data because of a command duration limit"),
            status.getExpired());
  }

  /** All sources that a process can have, for the reference in docs/. */
  public static List<MetricsSource> all() {
    List<MetricsSource> sources = new ArrayList<>();
    sources.add(process());
    sources.add(build());
    sources.add(ofClass(READS_RECORD, IoClass.REALTIME, new ClassMetrics(), 60));
    sources.add(ofClass(WRITES_RECORD, IoClass.REALTIME, new ClassMetrics(), 60));
    sources.add(ofRole(IoRole.BALANCER, IoClass.BEST_EFFORT, new ClassMetrics()));
    sources.add(ofClass(CALLS_RECORD, IoClass.REALTIME, new ClassMetrics(), 60));
    EngineStatus example = new EngineStatus("/data/1", "auto", "direct", "", 0, 0, 0, "", 0, 0);
    sources.add((collector, all) -> addEngine(collector, example));
    VolumeStatus volume =
        new VolumeStatus(
            "/data/1",
            "turns",
            "turns",
            "",
            "sda",
            "/data/1",
            1,
            0.7,
            QueueStatus.NONE,
            ObservedStatus.NONE);
    sources.add((collector, all) -> VolumesRecord.add(collector, volume));
    TenantStatus tenant = new TenantStatus("etl", 0, 0, 0, 0, 0, 0, 0, 0, List.of());
    sources.add((collector, all) -> TenantsRecord.add(collector, "/data/1", tenant));
    PolicyStatus policy = new PolicyStatus("", "", "", "", true, "log", List.of(), List.of());
    sources.add(PoliciesRecord.source(() -> List.of(policy)));
    return sources;
  }
}
