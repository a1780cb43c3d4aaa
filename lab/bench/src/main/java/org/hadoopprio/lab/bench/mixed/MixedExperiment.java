// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.disk.Drive;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.disk.Vhdd;

/**
 * HBase Gets beside work that reads as much as it can get, on one disk, as in figure 4 of the
 * HotCloud 2013 paper, and the ways users have without hadoop-prio.
 */
public final class MixedExperiment implements Experiment {

  static final IoPriority GET_PRIORITY = IoPriority.realtime(0);
  static final IoPriority BACKGROUND_PRIORITY = IoPriority.IDLE;

  /** About half of what the streams read when nothing slows them down. */
  static final long THROTTLE_BYTES_PER_SECOND = 32_000_000;

  private final MixedPlan plan;
  private final MixedScale scale;
  private final Drive drive;
  private final Path directory;
  private MixedBed bed;
  private boolean closed;

  /**
   * The experiment.
   *
   * @param drive which one the DataNode's virtual disk is
   * @param directory of the cluster, which is made and removed
   */
  MixedExperiment(MixedPlan plan, MixedScale scale, Drive drive, Path directory) {
    this.plan = plan;
    this.scale = scale;
    this.drive = drive;
    this.directory = directory;
  }

  /** The experiment on a virtual disk. */
  public static MixedExperiment of(MixedPlan plan, int seconds, Drive drive, Path directory) {
    return new MixedExperiment(plan, MixedScale.full(seconds), drive, directory);
  }

  @Override
  public String name() {
    return "mixed";
  }

  @Override
  public String title() {
    return "HBase Gets beside work that reads as much as it can, on one disk";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(scale.settings());
    settings.put("drive", "vhdd preset " + drive.preset());
    settings.put(ReadAhead.SETTING, Integer.toString(ReadAhead.byDefault().kib()));
    settings.put("Gets' priority", GET_PRIORITY.toString());
    settings.put("background's priority", BACKGROUND_PRIORITY.toString());
    settings.put("throttle, bytes/s", Long.toString(THROTTLE_BYTES_PER_SECOND));
    return settings;
  }

  @Override
  public List<Cell> plan() {
    return plan.cells();
  }

  @Override
  public List<Cell> order(List<Cell> cells, long seed) {
    return MixedPlan.order(cells, seed);
  }

  @Override
  public void prepare(StepLog log) throws IOException {
    if (Vhdd.unavailable().isPresent()) {
      throw new IOException(
          "there can be no virtual disk on this machine: " + Vhdd.unavailable().get());
    }
    log.say(plan.describe());
    MixedBed started = MixedBed.start(drive, directory, plan, scale.onlyFor(plan), log);
    synchronized (this) {
      if (!closed) {
        bed = started;
        return;
      }
    }
    started.close();
    throw new IOException("stopped");
  }

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    return new CellRun(bed(), cell, log).run();
  }

  private synchronized MixedBed bed() {
    return bed;
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    return new MixedFindings(results).findings();
  }

  @Override
  public void close() throws IOException {
    MixedBed open;
    synchronized (this) {
      closed = true;
      open = bed;
      bed = null;
    }
    if (open != null) {
      open.close();
    }
  }
}
