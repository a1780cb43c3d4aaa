// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.jmx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.hadoopprio.disktime.ServiceTimes;
import org.hadoopprio.metrics.BlameStatus;
import org.hadoopprio.metrics.ClassStatus;
import org.hadoopprio.metrics.HookStatus;
import org.hadoopprio.metrics.ObservedStatus;
import org.hadoopprio.metrics.PolicyStatus;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.metrics.QueueStatus;
import org.hadoopprio.metrics.SlowReadStatus;
import org.hadoopprio.metrics.TenantStatus;
import org.hadoopprio.metrics.VolumeStatus;
import org.hadoopprio.off.OffSwitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a JMX client without our classes sees. */
class PriorityMBeanTest {

  private static final HookStatus NO_HOOKS =
      new HookStatus() {
        @Override
        public int applied() {
          return 0;
        }

        @Override
        public int total() {
          return 0;
        }

        @Override
        public List<String> states() {
          return List.of();
        }
      };

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @BeforeEach
  void register() {
    PriorityMBean.register("1.0", NO_HOOKS);
  }

  @AfterEach
  void unregister() throws Exception {
    server.unregisterMBean(new ObjectName(PriorityMBean.OBJECT_NAME));
    PriorityMetrics.setVolumes(List::of);
  }

  private CompositeData[] volumes() throws Exception {
    return (CompositeData[])
        server.getAttribute(new ObjectName(PriorityMBean.OBJECT_NAME), "Volumes");
  }

  @Test
  void aRegionServerThatObservesIsShown() throws Exception {
    ObjectName name = new ObjectName(PriorityMBean.OBJECT_NAME);
    assertEquals(false, server.getAttribute(name, "Observing"));
    OffSwitch.setObserving(true);
    try {
      assertEquals(true, server.getAttribute(name, "Observing"));
    } finally {
      OffSwitch.setObserving(false);
    }
  }

  @Test
  void policiesAreShownWithTheirRules() throws Exception {
    PriorityMetrics.setPolicy(
        new PolicyStatus(
            "a.key", "/f", "7", "0123456789ab", true, "log", List.of(), List.of("one", "two")));
    CompositeData[] policies =
        (CompositeData[])
            server.getAttribute(new ObjectName(PriorityMBean.OBJECT_NAME), "Policies");
    CompositeData shown = policies[0];
    assertEquals("a.key", shown.get("key"));
    assertEquals("0123456789ab", shown.get("hash"));
    assertEquals(true, shown.get("usable"));
    assertEquals(List.of("one", "two"), List.of((String[]) shown.get("rules")));
  }

  private static void assertBlames(String who, String ioClass, long millis, CompositeData of) {
    CompositeData blame = ((CompositeData[]) of.get("blamed"))[0];
    assertEquals(who, blame.get("tenant"));
    assertEquals(ioClass, blame.get("ioClass"));
    assertEquals("flush", blame.get("role"));
    assertEquals(millis, blame.get("millis"));
  }

  private static QueueStatus queue() {
    return new QueueStatus(
        new ClassStatus(1, 101, 2, 3, 4),
        new ClassStatus(5, 105, 6, 7, 8),
        ClassStatus.NONE,
        9,
        10,
        11,
        19,
        true,
        new ServiceTimes(12, 13, 14, 15, 16, 17, 18),
        List.of(
            new TenantStatus(
                "etl",
                20,
                21,
                22,
                23,
                25,
                26,
                27,
                28,
                List.of(new BlameStatus("shop", "rt", "flush", 24)))),
        29,
        List.of(
            new SlowReadStatus(
                "2026-11-29T02:01:07.123Z",
                "etl",
                "be:4",
                "client-read",
                30,
                List.of(new BlameStatus("shop", "idle", "flush", 31)))));
  }

  private static void setVolume() {
    PriorityMetrics.setVolumes(
        () ->
            List.of(
                new VolumeStatus(
                    "/d",
                    "turns",
                    "turns",
                    "",
                    "sda",
                    "/d",
                    2,
                    0.7,
                    queue(),
                    new ObservedStatus(5, 3))));
  }

  @Test
  void volumesAreShownWithTheirClasses() throws Exception {
    assertEquals(0, volumes().length);
    setVolume();
    CompositeData shown = volumes()[0];
    assertEquals("/d", shown.get("volume"));
    assertEquals("/d", shown.get("firstOnDisk"));
    assertEquals(0.7, shown.get("realtimeShare"));
    CompositeData shownQueue = (CompositeData) shown.get("queue");
    assertEquals(true, shownQueue.get("open"));
    assertEquals(9L, shownQueue.get("turns"));
    assertEquals(10L, shownQueue.get("overdueWaits"));
    assertEquals(11L, shownQueue.get("lostReads"));
    assertEquals(19L, shownQueue.get("refusedTurns"));
    CompositeData times = (CompositeData) shownQueue.get("serviceTimes");
    assertEquals(12L, times.get("reads"));
    assertEquals(13L, times.get("readMicros"));
    assertEquals(14L, times.get("readDeviationMicros"));
    assertEquals(15L, times.get("openMicros"));
    assertEquals(16L, times.get("turns"));
    assertEquals(17L, times.get("turnMicros"));
    assertEquals(18L, times.get("turnBytes"));
    CompositeData bestEffort = (CompositeData) shownQueue.get("bestEffort");
    assertEquals(5L, bestEffort.get("diskMillis"));
    assertEquals(105L, bestEffort.get("diskBytes"));
    assertEquals(6L, bestEffort.get("waits"));
    assertEquals(7L, bestEffort.get("waitMillis"));
    assertEquals(8, bestEffort.get("waiting"));
  }

  @Test
  void tenantsAndSlowReadsAreShownWithWhoHadTheDisk() throws Exception {
    setVolume();
    CompositeData shownQueue = (CompositeData) volumes()[0].get("queue");
    CompositeData tenant = ((CompositeData[]) shownQueue.get("tenants"))[0];
    assertEquals("etl", tenant.get("tenant"));
    assertEquals(20L, tenant.get("diskMillis"));
    assertEquals(21L, tenant.get("realtimeDiskMillis"));
    assertEquals(22L, tenant.get("waits"));
    assertEquals(23L, tenant.get("waitMillis"));
    assertEquals(25, tenant.get("waiting"));
    assertEquals(26L, tenant.get("slow"));
    assertEquals(27L, tenant.get("targeted"));
    assertEquals(28L, tenant.get("late"));
    assertBlames("shop", "rt", 24, tenant);
    assertEquals(29L, shownQueue.get("slow"));
    CompositeData slow = ((CompositeData[]) shownQueue.get("slowReads"))[0];
    assertEquals("2026-11-29T02:01:07.123Z", slow.get("time"));
    assertEquals("etl", slow.get("tenant"));
    assertEquals("be:4", slow.get("priority"));
    assertEquals("client-read", slow.get("role"));
    assertEquals(30L, slow.get("waitMillis"));
    assertBlames("shop", "idle", 31, slow);
  }
}
