// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.StepLog;

/**
 * Streams beside increasing loads of real-time reads on one disk, alone, and at two priorities,
 * with and without the DataNode's scheduler of disk time.
 */
public final class StarvationExperiment implements Experiment {

  private final StarvationPlan plan;
  private final Path directory;
  private StarvationBed bed;

  /**
   * The experiment.
   *
   * @param plan what is measured
   * @param directory for the cluster
   */
  public StarvationExperiment(StarvationPlan plan, Path directory) {
    this.plan = plan;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "starvation";
  }

  @Override
  public String title() {
    return "What real-time HDFS reads leave to the other readers of a disk";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(StarvationBed.settings());
    settings.putAll(plan.settings());
    return settings;
  }

  @Override
  public List<Cell> plan() {
    return plan.cells();
  }

  @Override
  public void prepare(StepLog log) throws IOException {
    log.say("starting HDFS and writing files");
    StarvationBed started = StarvationBed.start(directory, log);
    synchronized (this) {
      bed = started;
    }
    // A scheduler that this kernel lacks is better missed now than in the middle of the run.
    for (Measurement measurement : plan.measurements()) {
      started.scheduler(measurement.scheduler());
    }
  }

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    Measurement measurement = plan.of(cell);
    return bed.measure(measurement, plan.seconds(measurement));
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    return new StarvationFindings(plan, results).draw();
  }

  @Override
  public synchronized void close() throws IOException {
    if (bed != null) {
      bed.close();
    }
  }
}
