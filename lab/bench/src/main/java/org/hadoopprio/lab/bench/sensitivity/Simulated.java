// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.simulation.DiskSimulation;
import org.hadoopprio.simulation.ShortReader;
import org.hadoopprio.simulation.SimulatedDisk;
import org.hadoopprio.simulation.StreamReader;

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

    private DiskClass gets() {
      return this == STOCK ? DiskClass.BEST_EFFORT : DiskClass.REALTIME;
    }

    private DiskClass streams() {
      return this == STOCK ? DiskClass.BEST_EFFORT : DiskClass.IDLE;
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
        new DiskSimulation(DiskSettings.DEFAULT, disk, seed, system == Compared.PRIO);
    ShortReader gets = simulation.open(system.gets(), 1, GETS_PER_SECOND);
    List<StreamReader> streams = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      StreamReader stream = simulation.stream(system.streams(), 1);
      streams.add(
          system == Compared.PRIO ? stream : stream.requests(stock.bytes(), stock.pauseNanos()));
    }
    simulation.run(seconds);
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("gets", gets.answered());
    json.put("mean_ms", gets.meanMillis());
    json.put("p99_ms", gets.millis(0.99));
    json.put(
        "scans_bytes_per_second",
        BYTES_PER_MB * streams.stream().mapToDouble(StreamReader::megabytesPerSecond).sum());
    json.put("overloaded", simulation.isOverloaded());
    return json;
  }
}
