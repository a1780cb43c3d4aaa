// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.hadoopprio.disktime.Tenant;

/**
 * The records of the tenants that share the disks of a DataNode, one for each volume and tenant. A
 * policy has at most 64 tenants. There are none of a disk that only the default tenant has used.
 * Thread-safe.
 */
final class TenantsRecord {

  /** Each of the many records asks for the status of all volumes, one soon after the other. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final MetricsInfo TENANT =
      Interns.info("tenant", "Name of the tenant in the policy");
  private static final MetricsInfo REALTIME_MILLIS =
      Interns.info(
          "RealtimeDiskMillis", "Disk time that the tenant's real-time reads used, milliseconds");
  private static final MetricsInfo OTHER_MILLIS =
      Interns.info(
          "OtherDiskMillis",
          "Disk time of its other requests, those together at the disk once, without turns that go"
              + " on; milliseconds");
  private static final MetricsInfo WAITS =
      Interns.info("Waits", "Waits of its requests for the disk");
  private static final MetricsInfo WAIT_MILLIS =
      Interns.info("WaitMillis", "Duration of these waits in milliseconds");
  private static final MetricsInfo WAITING = Interns.info("Waiting", "How many wait now");
  private static final MetricsInfo OTHERS_HAD_MILLIS =
      Interns.info(
          "OthersHadMillis", "For how much of that other tenants had the disk; milliseconds");
  private static final MetricsInfo OWN_HAD_MILLIS =
      Interns.info(
          "OwnHadMillis",
          "For how much of that it had the disk itself; the rest nobody did; milliseconds");
  private static final MetricsInfo SLOW =
      Interns.info(
          "SlowReads",
          "Its reads that have waited for longer than dfs.datanode.io.priority.scheduler.slow.ms");
  private static final MetricsInfo TARGETED =
      Interns.info("Targeted", "Its reads of at most 256 KiB with a latency target");
  private static final MetricsInfo LATE =
      Interns.info("Late", "Those of them answered after the time left of their target");

  /** What was known at a time. */
  private static final class Known {
    private final List<VolumeStatus> volumes;
    private final long at;

    private Known(List<VolumeStatus> volumes, long at) {
      this.volumes = volumes;
      this.at = at;
    }
  }

  private final Supplier<List<VolumeStatus>> volumes;
  private Known known;

  TenantsRecord(Supplier<List<VolumeStatus>> volumes) {
    this.volumes = volumes;
  }

  private synchronized List<VolumeStatus> volumes() {
    long now = System.nanoTime();
    if (known == null || now - known.at >= FRESH_NANOS) {
      known = new Known(volumes.get(), now);
    }
    return known.volumes;
  }

  /** The sources that there should be now, by their names. */
  Map<String, MetricsSource> sources() {
    Map<String, MetricsSource> sources = new LinkedHashMap<>();
    for (VolumeStatus status : volumes()) {
      String volume = status.getVolume();
      for (TenantStatus tenant : shown(status)) {
        String name = tenant.getTenant();
        sources.put(
            RecordSources.name(PriorityMetricsSource.TENANTS_RECORD, name + "-" + volume),
            (collector, all) -> add(collector, volume, name));
      }
    }
    return sources;
  }

  /** Those of the queue that the volume shows. */
  private static List<TenantStatus> shown(VolumeStatus status) {
    List<TenantStatus> tenants = List.of(status.counted().getTenants());
    boolean isAny =
        tenants.stream().anyMatch(each -> !each.getTenant().equals(Tenant.DEFAULT.name()));
    return isAny ? tenants : List.of();
  }

  private void add(MetricsCollector collector, String volume, String tenant) {
    for (VolumeStatus status : volumes()) {
      if (status.getVolume().equals(volume)) {
        shown(status).stream()
            .filter(each -> each.getTenant().equals(tenant))
            .forEach(each -> add(collector, volume, each));
      }
    }
  }

  /** Adds the record of one tenant of a volume. */
  static void add(MetricsCollector collector, String volume, TenantStatus status) {
    long own = 0;
    long others = 0;
    for (BlameStatus each : status.getBlamed()) {
      boolean isOwn = each.getTenant().equals(status.getTenant());
      own += isOwn ? each.getMillis() : 0;
      others += isOwn ? 0 : each.getMillis();
    }
    collector
        .addRecord(PriorityMetricsSource.TENANTS_RECORD)
        .setContext(PriorityMetricsSource.CONTEXT)
        .tag(PriorityMetricsSource.VOLUME, volume)
        .tag(TENANT, status.getTenant())
        .addCounter(REALTIME_MILLIS, status.getRealtimeDiskMillis())
        .addCounter(OTHER_MILLIS, status.getDiskMillis() - status.getRealtimeDiskMillis())
        .addCounter(WAITS, status.getWaits())
        .addCounter(WAIT_MILLIS, status.getWaitMillis())
        .addCounter(OTHERS_HAD_MILLIS, others)
        .addCounter(OWN_HAD_MILLIS, own)
        .addGauge(WAITING, status.getWaiting())
        .addCounter(SLOW, status.getSlow())
        .addCounter(TARGETED, status.getTargeted())
        .addCounter(LATE, status.getLate());
  }
}
