// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.scheduler.DiskModel;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerLimits;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.tools.admit.Prediction;
import org.hadoopprio.tools.node.DataNodeVolumes;

/**
 * What {@code hprio admit} predicts for the load of a cell, from what the DataNode in that cell has
 * measured of its disk.
 */
final class CellPrediction {

  /**
   * In mode turns, on a drive that knows no priority, with reads that pass through the DataNode.
   */
  static final Set<MixedSystem> SYSTEMS =
      Collections.unmodifiableSet(
          EnumSet.of(
              MixedSystem.HOST,
              MixedSystem.WITHIN_50MS,
              MixedSystem.WITHIN_100MS,
              MixedSystem.WITHIN_200MS,
              MixedSystem.LEVELS));

  private static final double BYTES_PER_MB = 1e6;

  private CellPrediction() {}

  /** Whether a cell can be predicted: Gets beside streams. */
  static boolean applies(Cell cell) {
    return SYSTEMS.contains(MixedPlan.system(cell)) && MixedPlan.background(cell).streams() > 0;
  }

  /**
   * Predicts a cell.
   *
   * @param volumes what the DataNode's agent tells about its volumes
   * @param readsPerGet how many reads of the disk a Get has needed, on average
   * @return {@code p99_ms} of each class of Gets, and {@code background_bytes_per_second}; empty if
   *     the DataNode has measured too little
   */
  static Optional<ObjectNode> of(Cell cell, JsonNode volumes, double readsPerGet) {
    DiskModel.Builder disk = new DiskModel.Builder();
    for (JsonNode volume : volumes) {
      if (volume.path("mode").asText().equals(SchedulerMode.TURNS.toString())) {
        disk.measured(DataNodeVolumes.serviceTimes(volume));
      }
    }
    if (!disk.knowsReads() || !disk.knowsStreams()) {
      return Optional.empty();
    }
    Configuration conf = new Configuration(false);
    Deployment.of(cell).conf(Role.DATANODE).forEach(conf::set);
    Prediction.Load load = new Prediction.Load();
    List<Optional<IoPriority>> priorities = MixedPlan.system(cell).getPriorities();
    double rate = MixedPlan.load(cell).getsPerSecond() / priorities.size();
    priorities.forEach(priority -> load.addReads(priority.orElse(IoPriority.NONE), rate));
    load.addStreams(MixedExperiment.BACKGROUND_PRIORITY, MixedPlan.background(cell).streams());
    load.setTwice(Math.max(0, readsPerGet - 1));
    DiskModel model = disk.build();
    Prediction prediction = new Prediction(SchedulerLimits.of(conf), model, load);
    ObjectNode json = new ObjectMapper().createObjectNode();
    ArrayNode classes = json.putArray("classes");
    for (Prediction.Reads reads : prediction.reads()) {
      classes.addObject().put("p99_ms", reads.p99Millis());
    }
    json.put("background_bytes_per_second", prediction.streamsMegabytesPerSecond() * BYTES_PER_MB);
    json.put("read_ms", model.readMillis());
    json.put("open_ms", model.openMillis());
    json.put("reads_per_get", readsPerGet);
    json.put("stream_bytes_per_second", model.megabytesPerSecond() * BYTES_PER_MB);
    return Optional.of(json);
  }
}
