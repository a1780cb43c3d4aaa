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
import org.hadoopprio.lab.disk.DiskKind;

/**
 * Background streams beside increasing loads of real-time reads on one disk, with and without what
 * protects the background: the DataNode's real-time share, and aging in the scheduler and the
 * drive.
 */
public final class StarvationExperiment implements Experiment {

  /** Enough to keep the queue of the drive well filled. */
  private static final int CAPACITY_THREADS = 16;

  private final StarvationPlan plan;
  private final DiskKind disk;
  private final Path directory;
  private StarvationBed bed;

  /**
   * The experiment.
   *
   * @param plan what is measured
   * @param disk what the DataNode's blocks are on
   * @param directory for the cluster
   */
  public StarvationExperiment(StarvationPlan plan, DiskKind disk, Path directory) {
    this.plan = plan;
    this.disk = disk;
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
    settings.put("disk", disk.toString());
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
    StarvationBed started = StarvationBed.start(directory, disk, log);
    synchronized (this) {
      bed = started;
    }
    log.say("measuring the read rate of the disk without background");
    double perSecond = started.measureAlone(CAPACITY_THREADS, plan.seconds());
    log.say(String.format("the disk alone does %.0f reads per second", perSecond));
  }

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    return bed.measure(plan.system(cell), StarvationPlan.load(cell), plan.seconds());
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
