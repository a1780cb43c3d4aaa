package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;

/** What the scheduler promises, in virtual time. */
class VolumeSimulationTest {

  private static final LevelWeights WEIGHTS = SchedulerKeys.WEIGHTS.defaultValue();

  static SchedulerLimits limits(double share) {
    return new SchedulerLimits(share, 16 << 20, 100, WEIGHTS, 0.05);
  }

  @Test
  void explore() {
    for (boolean scheduled : new boolean[] {false, true}) {
      DiskSimulation alone = new DiskSimulation(limits(0.7), scheduled);
      DiskSimulation.Reader a = alone.open(IoPriority.realtime(0), 18);
      alone.run();
      System.out.printf(
          "alone mean? p50 %.1f p95 %.1f p99 %.1f%n", a.millis(.5), a.millis(.95), a.millis(.99));
      DiskSimulation mixed = new DiskSimulation(limits(0.7), scheduled);
      DiskSimulation.Reader g = mixed.open(IoPriority.realtime(0), 18);
      List<DiskSimulation.Reader> streams = new ArrayList<>();
      for (int i = 0; i < 16; i++) streams.add(mixed.stream(IoPriority.NONE));
      mixed.run();
      System.out.printf(
          "mixed %s p50 %.1f p95 %.1f p99 %.1f bg %.1f longest %.0f turns %d used rt %.2f be %.2f%n",
          scheduled,
          g.millis(.5),
          g.millis(.95),
          g.millis(.99),
          streams.stream().mapToDouble(DiskSimulation.Reader::megabytesPerSecond).sum(),
          streams.stream().mapToDouble(r -> r.longestWait / 1e6).max().getAsDouble(),
          mixed.counters.turns(),
          mixed.counters.usedNanos(DiskClass.REALTIME) / 63e9,
          mixed.counters.usedNanos(DiskClass.BEST_EFFORT) / 63e9);
      for (int n : new int[] {1, 2, 4, 16, 64, 128}) {
        DiskSimulation bound = new DiskSimulation(limits(0.7), scheduled);
        List<DiskSimulation.Reader> rs = new ArrayList<>();
        for (int i = 0; i < n; i++) rs.add(bound.closed(IoPriority.realtime(0)));
        bound.run();
        DiskSimulation m = new DiskSimulation(limits(0.7), scheduled);
        List<DiskSimulation.Reader> ms = new ArrayList<>();
        for (int i = 0; i < n; i++) ms.add(m.closed(IoPriority.realtime(0)));
        List<DiskSimulation.Reader> ss = new ArrayList<>();
        for (int i = 0; i < 16; i++) ss.add(m.stream(IoPriority.NONE));
        m.run();
        System.out.printf(
            "%d rt: bound p95 %.1f, p95 %.1f, p99 %.1f  bg %.1f longest %.0f used rt %.2f be %.2f lost %d%n",
            n,
            p(rs, .95),
            p(ms, .95),
            p(ms, .99),
            ss.stream().mapToDouble(DiskSimulation.Reader::megabytesPerSecond).sum(),
            ss.stream().mapToDouble(r -> r.longestWait / 1e6).max().getAsDouble(),
            m.counters.usedNanos(DiskClass.REALTIME) / 63e9,
            m.counters.usedNanos(DiskClass.BEST_EFFORT) / 63e9,
            m.counters.lostReads());
      }
    }
    assertTrue(true);
  }

  static double p(List<DiskSimulation.Reader> rs, double q) {
    List<Long> all = new ArrayList<>();
    rs.forEach(r -> all.addAll(r.latencies));
    java.util.Collections.sort(all);
    return all.isEmpty() ? Double.NaN : all.get((int) (all.size() * q)) / 1e6;
  }
}
