// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.IoRole;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.StepLog;

/**
 * Everything that a cluster does at the same time, each owner at a priority of its own, and a
 * DataNode killed in the middle: whose are the bytes at the disks?
 */
public final class OwnersExperiment implements Experiment {

  /** What starting and filling the cluster, repairing it and checking takes, about. */
  private static final int EXTRA_SECONDS = 120;

  private final OwnersScale scale;
  private final int repetitions;
  private final Path directory;
  private OwnersBed bed;

  /**
   * The experiment.
   *
   * @param directory for the cluster
   */
  public OwnersExperiment(OwnersScale scale, int repetitions, Path directory) {
    this.scale = scale;
    this.repetitions = repetitions;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "owners";
  }

  @Override
  public String title() {
    return "Who owns the bytes at the disks of a busy cluster";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(scale.settings());
    settings.put(DataNodeKeys.ROLES.name(), Owner.roles(IoRole.Daemon.DATANODE));
    settings.put(HBaseKeys.ROLES.name(), Owner.roles(IoRole.Daemon.REGIONSERVER));
    return settings;
  }

  @Override
  public List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int i = 1; i <= repetitions; i++) {
      cells.add(new Cell(Map.of("load", "all"), i, scale.seconds() + EXTRA_SECONDS));
    }
    return cells;
  }

  /** Nothing: a DataNode is lost in each cell, so each has a cluster of its own. */
  @Override
  public void prepare(StepLog log) {}

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    OwnersBed started = OwnersBed.start(directory, scale, log);
    synchronized (this) {
      bed = started;
    }
    try {
      return started.run();
    } finally {
      close();
    }
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    return new OwnersFindings(results).draw();
  }

  @Override
  public synchronized void close() throws IOException {
    if (bed != null) {
      bed.close();
      bed = null;
    }
  }
}
