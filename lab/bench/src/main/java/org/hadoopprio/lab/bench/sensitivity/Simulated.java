// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.scheduler.DiskSimulation;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerLimits;
import org.hadoopprio.hdfs.datanode.scheduler.SimulatedDisk;
import org.hadoopprio.lab.bench.experiment.EnumNames;

/** The load of the headlines on one drive: Gets that arrive at random beside streams. */
final class Simulated {

  static final int STREAMS = 16;
  static final double GETS_PER_SECOND = 18;

  private static final double BYTES_PER_MB = 1e6;

  private Simulated() {}

  /** A system that is compared. */
  enum Compared {
    /** Nobody states a priority, and reads go to the disk as they come. */
    STOCK,
    /** With the DataNode's scheduler, and its defaults. */
    PRIO;

    /** The name in results. */
    String id() {
      return EnumNames.text(this);
    }

    private IoPriority gets() {
      return this == STOCK ? IoPriority.NONE : IoPriority.realtime(0);
    }

    private IoPriority streams() {
      return this == STOCK ? IoPriority.NONE : IoPriority.IDLE;
    }
  }

  /**
   * Runs the load.
   *
   * @param disk on which nothing is being read
   * @param stock how streams read that take no turns
   * @return mean and p99 of the Gets, and the rate of all streams
   */
  static ObjectNode run(
      Compared system, SimulatedDisk disk, StockStreams stock, int seconds, long seed) {
    DiskSimulation simulation =
        new DiskSimulation(
            SchedulerLimits.of(new Configuration(false)), disk, seed, system == Compared.PRIO);
    DiskSimulation.Reader gets = simulation.open(system.gets(), GETS_PER_SECOND);
    List<DiskSimulation.Reader> streams = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      streams.add(
          system == Compared.PRIO
              ? simulation.stream(system.streams())
              : simulation.stream(system.streams(), stock.bytes(), stock.pauseNanos()));
    }
    simulation.run(seconds);
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("gets", gets.answered());
    json.put("mean_ms", gets.meanMillis());
    json.put("p99_ms", gets.millis(0.99));
    json.put(
        "scans_bytes_per_second",
        BYTES_PER_MB
            * streams.stream().mapToDouble(DiskSimulation.Reader::megabytesPerSecond).sum());
    json.put("overloaded", simulation.isOverloaded());
    return json;
  }
}
