// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
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

  /** The record of the policies in force. */
  public static final String POLICIES_RECORD = "IoPriorityPolicies";

  /** The record that names the agent's version. */
  public static final String BUILD_RECORD = "IoPriorityBuild";

  static final String CONTEXT = "ioPriority";
  private static final MetricsInfo CLASS =
      Interns.info("class", "I/O class: rt, be or idle; of roles also none");
  private static final MetricsInfo ROLE = Interns.info("role", "What the requests are for");
  private static final MetricsInfo REQUESTS =
      Interns.info("Requests", "Requests served in this class because of a priority");
  private static final MetricsInfo BYTES =
      Interns.info("Bytes", "Bytes sent to clients, or received from them, in these requests");

  private static final MetricsInfo ROLE_REQUESTS =
      Interns.info("Requests", "Block reads and writes, and other work, in this role and class");
  private static final MetricsInfo ROLE_BYTES =
      Interns.info("Bytes", "Bytes of blocks sent, received or read in them");

  private static final MetricsInfo HOOKS_APPLIED =
      Interns.info("HooksApplied", "Hooks of the agent that are in force in this process");
  private static final MetricsInfo HOOKS_TOTAL =
      Interns.info("HooksTotal", "Hooks of the modules whose classes this process uses");
  private static final MetricsInfo OBSERVING =
      Interns.info(
          "Observing",
          "1 while a RegionServer only observes, and its calls are served as in stock HBase;"
              + " otherwise 0");
  private static final MetricsInfo REGIONS =
      Interns.info(
          "Regions",
          "Open regions of a RegionServer that have the coprocessor; 0 where there is none");
  private static final MetricsInfo OFF =
      Interns.info(
          "Off", "Modules of the agent that are switched off while this process runs; 0 for on");
  private static final MetricsInfo REALTIME_SHARE =
      Interns.info(
          "RealtimeShare",
          "Share of a volume's disk time to which real-time reads are limited; 0 where there is no DataNode");

  private static final MetricsInfo VERSION = Interns.info("version", "Version of the agent");
  private static final MetricsInfo INFO =
      Interns.info("Info", "1; the tag says which version of the agent this process has");

  static final MetricsInfo VOLUME = Interns.info("volume", "Directory of the volume");
  private static final MetricsInfo ENGINE =
      Interns.info("engine", "Engine in force: thread, direct or ncq");
  private static final MetricsInfo ENGINE_READS =
      Interns.info("EngineReads", "Reads of at most 260 KiB that the engine has done");
  private static final MetricsInfo ENGINE_CACHED =
      Interns.info("EngineCached", "Reads served from the page cache without the engine");
  private static final MetricsInfo ENGINE_FALLBACKS =
      Interns.info(
          "EngineFallbacks",
          "Reads done by stock HDFS code because the configured engine could not do them");
  private static final MetricsInfo ENGINE_HINTED =
      Interns.info(
          "EngineHinted", "Requests to the drive that named one of its command duration limits");
  private static final MetricsInfo ENGINE_EXPIRED =
      Interns.info(
          "EngineExpired",
          "Requests that the drive ended without data because of a command duration limit");

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
              new RecordSources("Disk time of volumes", PriorityMetricsSource::volumes));
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

  private static Map<MetricsInfo, Supplier<Long>> counters() {
    Map<MetricsInfo, Supplier<Long>> all = new LinkedHashMap<>();
    add(all, "Asked", "Requests that stated a priority", PriorityMetrics.ASKED);
    add(
        all,
        "Ruled",
        "Requests without a priority that the rules, or a highest below normal, gave one",
        PriorityMetrics.RULED);
    add(
        all,
        "Clamped",
        "Requests for a more urgent priority than allowed, served at the highest allowed",
        PriorityMetrics.CLAMPED);
    add(
        all,
        "Rejected",
        "Requests for a more urgent priority than allowed, rejected because of the policy's mode:"
            + " a RegionServer answers with an error, a DataNode serves the read as if it had"
            + " stated none",
        PriorityMetrics.REJECTED);
    add(
        all,
        "Capped",
        "Requests served at a lower priority than allowed because a cap of the policy was reached",
        PriorityMetrics.CAPPED);
    add(
        all,
        "Targeted",
        "Reads of a DataNode, of at most 256 KiB, that had a latency target",
        PriorityMetrics.TARGETED);
    add(
        all,
        "Late",
        "Those of them that were answered after the time that was left of their target",
        PriorityMetrics.LATE);
    add(
        all,
        "Refused",
        "Reads that this DataNode has not done because they would have missed their latency target,"
            + " and their client could go to another replica",
        PriorityMetrics.REFUSED);
    add(
        all,
        "Elsewhere",
        "How often a DataNode was too late for a read of this client, which has asked another one",
        PriorityMetrics.ELSEWHERE);
    add(all, "Malformed", "Malformed priorities", PriorityMetrics.MALFORMED);
    add(
        all,
        "Denied",
        "Real-time reads done at be:0 because the process lacks CAP_SYS_NICE",
        PriorityMetrics.DENIED);
    add(
        all,
        "Failed",
        "Priorities that could not be set and hooks that failed; the read continued",
        PriorityMetrics.FAILED);
    add(
        all,
        "Stamped",
        "Reads and writes this process sent with a priority",
        PriorityMetrics.STAMPED);
    add(
        all,
        "Reopened",
        "Sequential reads that reopened their block after a change of priority",
        PriorityMetrics.REOPENED);
    add(
        all,
        "RealtimePaced",
        "Waits of real-time reads because real-time had used more than its share",
        PriorityMetrics.REALTIME_PACED);
    all.put(
        Interns.info("RealtimePacedMillis", "Total duration of these waits in milliseconds"),
        () -> TimeUnit.NANOSECONDS.toMillis(PriorityMetrics.REALTIME_PACED_NANOS.sum()));
    add(
        all,
        "RealtimeDemoted",
        "Turns of real-time reads done at be:0 because real-time had used more than its share",
        PriorityMetrics.REALTIME_DEMOTED);
    add(
        all,
        "LocalReads",
        "Pieces of short-circuit reads that a DataNode has let in; the DataNode and the client"
            + " count them",
        PriorityMetrics.LOCAL_READS);
    add(
        all,
        "LocalUnasked",
        "Pieces of short-circuit reads that this client read at once because it could not ask the"
            + " DataNode",
        PriorityMetrics.LOCAL_UNASKED);
    add(
        all,
        "LocalRefused",
        "Connections of short-circuit readers that this DataNode closed because of a malformed"
            + " message or because there were too many",
        PriorityMetrics.LOCAL_REFUSED);
    add(
        all,
        "LocalLost",
        "Turns of short-circuit readers that this DataNode ended because the reader gave no sign"
            + " for 300 ms",
        PriorityMetrics.LOCAL_LOST);
    return all;
  }

  private static void add(
      Map<MetricsInfo, Supplier<Long>> all, String name, String description, LongAdder counter) {
    all.put(Interns.info(name, description), counter::sum);
  }

  /** The source of the counters of the whole process. */
  public static MetricsSource process() {
    Map<MetricsInfo, Supplier<Long>> counters = counters();
    return (collector, all) -> {
      // Nobody tells when a volume is taken out, or that a DataNode has reached a NameNode.
      PriorityMetrics.recordsChanged();
      MetricsRecordBuilder record = collector.addRecord(RECORD).setContext(CONTEXT);
      counters.forEach((info, value) -> record.addCounter(info, value.get()));
      HookStatus status = hooks;
      record.addGauge(HOOKS_APPLIED, status == null ? 0 : status.applied());
      record.addGauge(HOOKS_TOTAL, status == null ? 0 : status.total());
      record.addGauge(OFF, OffSwitch.modules());
      record.addGauge(OBSERVING, OffSwitch.isObserving() ? 1 : 0);
      record.addGauge(REGIONS, PriorityMetrics.regions());
      Double share = PriorityMetrics.realtimeShare();
      record.addGauge(REALTIME_SHARE, share == null ? 0 : share);
    };
  }

  /** A record of its own: as a tag of the counters the version would begin new ones with each. */
  private static MetricsSource build() {
    return (collector, all) ->
        collector
            .addRecord(BUILD_RECORD)
            .setContext(CONTEXT)
            .tag(VERSION, version)
            .addGauge(INFO, 1);
  }

  /** The source of one class. */
  static MetricsSource ofClass(
      String recordName, IoClass ioClass, ClassMetrics metrics, int quantilesSeconds) {
    return (collector, all) -> {
      MetricsRecordBuilder record = collector.addRecord(recordName).setContext(CONTEXT);
      add(record, ioClass, metrics, REQUESTS, BYTES, quantilesSeconds);
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
          record.tag(ROLE, role.toString()),
          ioClass,
          metrics,
          ROLE_REQUESTS,
          ROLE_BYTES,
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
        .tag(CLASS, ioClass.shortName())
        .addCounter(requests, metrics.requests().sum())
        .addCounter(bytes, metrics.bytes().sum());
    metrics.latency(quantilesSeconds).snapshot(record, true);
  }

  private static void addEngine(MetricsCollector collector, EngineStatus status) {
    collector
        .addRecord(ENGINES_RECORD)
        .setContext(CONTEXT)
        .tag(VOLUME, status.getVolume())
        .tag(ENGINE, status.getEngine())
        .addCounter(ENGINE_READS, status.getReads())
        .addCounter(ENGINE_CACHED, status.getCached())
        .addCounter(ENGINE_FALLBACKS, status.getFallbacks())
        .addCounter(ENGINE_HINTED, status.getHinted())
        .addCounter(ENGINE_EXPIRED, status.getExpired());
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
            "/data/1", "turns", "turns", "", "sda", 1, 0.7, QueueStatus.NONE, ObservedStatus.NONE);
    sources.add((collector, all) -> VolumesRecord.add(collector, volume));
    PolicyStatus policy = new PolicyStatus("", "", "", "", true, "log", List.of(), List.of());
    sources.add(PoliciesRecord.source(() -> List.of(policy)));
    return sources;
  }
}
