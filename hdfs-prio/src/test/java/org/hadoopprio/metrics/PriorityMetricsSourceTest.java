// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.hadoopprio.disktime.ServiceTimes;
import org.junit.jupiter.api.Test;

class PriorityMetricsSourceTest {

  private static VolumeStatus volume(String directory, String mode, QueueStatus queue) {
    return volume(directory, mode, directory, queue);
  }

  private static VolumeStatus volume(
      String directory, String mode, String first, QueueStatus queue) {
    return new VolumeStatus(
        directory, "turns", mode, "", "sda", first, 1, 0.7, queue, new ObservedStatus(24, 25));
  }

  /** Sums over volumes are those over disks. */
  @Test
  void theQueueOfVolumesOnOneDiskIsInTheRecordOfTheFirst() {
    ClassStatus used = new ClassStatus(1, 2, 3, 4, 5);
    QueueStatus queue =
        new QueueStatus(
            used,
            used,
            used,
            6,
            7,
            8,
            9,
            true,
            new ServiceTimes(1, 2, 3, 4, 5, 6, 7),
            List.of(),
            10,
            List.of());
    assertEquals(
        List.of(6L, 0L),
        turns(volume("/a", "turns", "/a", queue), volume("/b", "turns", "/a", queue)));
  }

  private static List<Number> turns(VolumeStatus... volumes) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    for (VolumeStatus volume : volumes) {
      VolumesRecord.add(collector, volume);
    }
    List<Number> turns = new ArrayList<>();
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        if (metric.name().equals("Turns")) {
          turns.add(metric.value());
        }
      }
    }
    return turns;
  }

  @Test
  void whatWasShownUnderAnotherNameIsNoGrowth() {
    QueueStatus before = queue(10, 100);
    QueueStatus now = queue(12, 130);
    VolumeStatus status = volume("/b", "turns", "/b", now).shownBefore(before);
    assertEquals(List.of(2L), turns(status));
    QueueStatus counted = status.counted();
    assertEquals(30, counted.getRealtime().getDiskMillis());
    assertEquals(30, counted.getBestEffort().getDiskBytes());
    assertEquals(30, counted.getIdle().getWaits());
    assertEquals(30, counted.getIdle().getWaitMillis());
    assertEquals(130, counted.getIdle().getWaiting(), "of the moment");
    assertEquals(2, counted.getOverdueWaits());
    assertEquals(2, counted.getLostReads());
    assertEquals(2, counted.getRefusedTurns());
    assertEquals(2, counted.getSlow());
    TenantStatus tenant = counted.getTenants()[0];
    assertEquals(2, tenant.getDiskMillis());
    assertEquals(2, tenant.getRealtimeDiskMillis());
    assertEquals(2, tenant.getWaits());
    assertEquals(2, tenant.getWaitMillis());
    assertEquals(12, tenant.getWaiting(), "of the moment");
    assertEquals(2, tenant.getSlow());
    assertEquals(2, tenant.getTargeted());
    assertEquals(2, tenant.getLate());
    assertEquals(2, tenant.getBlamed()[0].getMillis());
    assertEquals(12, tenant.getBlamed()[1].getMillis(), "of who has come since");
    assertEquals(2, counted.getServiceTimes().getReads());
    assertEquals(2, counted.getServiceTimes().getTurns());
    assertEquals(12, counted.getServiceTimes().getTurnBytes(), "a mean");
    assertEquals(12, status.getQueue().getTurns());
  }

  private static QueueStatus queue(long number, int used) {
    ClassStatus ofClass = new ClassStatus(used, used, used, used, used);
    ServiceTimes times = new ServiceTimes(number, number, number, number, number, number, number);
    List<BlameStatus> blamed =
        new ArrayList<>(List.of(new BlameStatus("etl", "rt", "flush", number)));
    if (number == 12) {
      blamed.add(new BlameStatus("etl", "be", "flush", number));
    }
    TenantStatus tenant =
        new TenantStatus(
            "etl", number, number, number, number, (int) number, number, number, number, blamed);
    return new QueueStatus(
        ofClass,
        ofClass,
        ofClass,
        number,
        number,
        number,
        number,
        true,
        times,
        List.of(tenant),
        number,
        List.of());
  }

  @Test
  void theRecordOfAVolumeHasAllOfItsStatus() {
    QueueStatus queue =
        new QueueStatus(
            new ClassStatus(1, 101, 2, 3, 4),
            new ClassStatus(5, 105, 6, 7, 8),
            new ClassStatus(9, 109, 10, 11, 12),
            13,
            14,
            15,
            23,
            true,
            new ServiceTimes(16, 17, 18, 19, 20, 21, 22),
            List.of(),
            26,
            List.of());
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    VolumesRecord.add(collector, volume("/a", "turns", queue));
    List<MetricsRecord> records = List.copyOf(collector.getRecords());
    assertEquals(1, records.size());
    String tags =
        records.get(0).tags().stream()
            .map(tag -> tag.name() + "=" + tag.value())
            .collect(Collectors.joining(" "));
    assertTrue(tags.contains("volume=/a") && tags.contains("mode=turns"), tags);
    Map<String, Number> expected = new HashMap<>();
    String[] names = {"Realtime", "BestEffort", "Idle"};
    for (int i = 0; i < names.length; i++) {
      expected.put(names[i] + "DiskMillis", 4L * i + 1);
      expected.put(names[i] + "DiskBytes", 4L * i + 101);
      expected.put(names[i] + "Waits", 4L * i + 2);
      expected.put(names[i] + "WaitMillis", 4L * i + 3);
      expected.put(names[i] + "Waiting", 4 * i + 4);
    }
    expected.put("Turns", 13L);
    expected.put("OverdueWaits", 14L);
    expected.put("LostReads", 15L);
    expected.put("RefusedTurns", 23L);
    expected.put("SlowReads", 26L);
    expected.put("ObservedReads", 24L);
    expected.put("ObservedWaits", 25L);
    expected.put("Open", 1);
    expected.put("Streams", 1);
    expected.put("RealtimeShare", 0.7);
    String[] times = {
      "SingleReads",
      "ReadMicros",
      "ReadDeviationMicros",
      "OpenMicros",
      "WholeTurns",
      "TurnMicros",
      "TurnBytes"
    };
    for (int i = 0; i < times.length; i++) {
      expected.put(times[i], 16L + i);
    }
    Map<String, Number> shown = new HashMap<>();
    records.get(0).metrics().forEach(metric -> shown.put(metric.name(), metric.value()));
    assertEquals(expected, shown);
  }

  private static VolumeStatus sharedBy(String directory, String first, String... tenants) {
    List<TenantStatus> its = new ArrayList<>();
    for (String each : tenants) {
      its.add(
          new TenantStatus(
              each,
              10,
              4,
              2,
              30,
              5,
              1,
              7,
              3,
              List.of(
                  new BlameStatus("etl", "rt", "flush", 8),
                  new BlameStatus("etl", "be", "flush", 9),
                  new BlameStatus("shop", "idle", "flush", 6))));
    }
    ClassStatus none = ClassStatus.NONE;
    return volume(
        directory,
        "turns",
        first,
        new QueueStatus(none, none, none, 0, 0, 0, 0, false, ServiceTimes.NONE, its, 0, List.of()));
  }

  private static MetricsRecord record(MetricsSource source) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    assertEquals(1, collector.getRecords().size());
    return collector.getRecords().get(0);
  }

  @Test
  void eachTenantOfADiskHasARecordUnlessThereIsNoneButTheDefault() {
    List<VolumeStatus> volumes =
        List.of(
            sharedBy("/a", "/a", "default", "etl"),
            sharedBy("/b", "/a", "default", "etl"),
            sharedBy("/c", "/c", "default"));
    Map<String, MetricsSource> sources = new TenantsRecord(() -> volumes).sources();
    assertEquals(
        Set.of("IoPriorityTenants-default-/a", "IoPriorityTenants-etl-/a"), sources.keySet());
    MetricsRecord etl = record(sources.get("IoPriorityTenants-etl-/a"));
    String tags = tags(etl);
    assertTrue(tags.contains("volume=/a tenant=etl"), tags);
    Map<String, Number> shown = shown(etl);
    Map<String, Number> expected = new HashMap<>();
    expected.put("RealtimeDiskMillis", 4L);
    expected.put("OtherDiskMillis", 6L);
    expected.put("Waits", 2L);
    expected.put("WaitMillis", 30L);
    expected.put("OthersHadMillis", 6L);
    expected.put("OwnHadMillis", 17L);
    expected.put("Waiting", 5);
    expected.put("SlowReads", 1L);
    expected.put("Targeted", 7L);
    expected.put("Late", 3L);
    assertEquals(expected, shown);
  }

  @Test
  void aPolicysVersionAndHashAreTags() {
    PolicyStatus policy =
        new PolicyStatus(
            "k", "/f", "7", "0123456789ab", false, "log", List.of(), List.of("one", "two"));
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    PoliciesRecord.source(() -> List.of(policy)).getMetrics(collector, true);
    MetricsRecord record = collector.getRecords().get(0);
    String tags = tags(record);
    assertTrue(tags.contains("key=k version=7 hash=0123456789ab"), tags);
    Map<String, Number> shown = shown(record);
    assertEquals(Map.of("Rules", 2, "Usable", 0), shown);
  }

  private static String tags(MetricsRecord record) {
    return record.tags().stream()
        .map(tag -> tag.name() + "=" + tag.value())
        .collect(Collectors.joining(" "));
  }

  private static Map<String, Number> shown(MetricsRecord record) {
    Map<String, Number> shown = new HashMap<>();
    record.metrics().forEach(metric -> shown.put(metric.name(), metric.value()));
    return shown;
  }
}
