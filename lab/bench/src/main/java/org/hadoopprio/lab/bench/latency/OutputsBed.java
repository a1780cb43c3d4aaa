// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.workload.RandomOutputs;
import org.hadoopprio.lab.workload.StreamFiles;

/** HDFS, with files that the reads of outputs go to, on both sides of the streams' files. */
final class OutputsBed extends StreamsBed<OutputsSystem> {

  /** Of an output; 5 outputs a second need about half of a disk of 7200 rpm. */
  static final int READS = 8;

  static final int READ_BYTES = 64 << 10;

  /** The part of an output's period that is its latency target; the client needs the rest. */
  private static final double TARGET_SHARE = 0.9;

  private static final String FILES = "/outputs";
  private static final int FILES_EACH_SIDE = 32;
  private static final long FILE_BYTES = 16L << 20;
  private static final double MS_PER_SECOND = 1e3;

  private final int seconds;

  private OutputsBed(LocalCluster cluster, int seconds, StepLog log) throws IOException {
    super(cluster);
    this.seconds = seconds;
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      drives()
          .fast(
              () -> {
                write(fs, 0);
                writeStreams(fs, log);
                write(fs, 1);
              });
    }
  }

  /** What makes measurements comparable. */
  static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(ReadAhead.SETTING, Integer.toString(ReadAhead.byDefault().kib()));
    settings.put("reads", Integer.toString(READS));
    settings.put("read-bytes", Integer.toString(READ_BYTES));
    settings.put("target-share", Double.toString(TARGET_SHARE));
    settings.put("streams", Integer.toString(STREAMS));
    settings.put("stream-bytes", Long.toString(ALL_STREAM_BYTES));
    settings.put("file-bytes", Long.toString(2 * FILES_EACH_SIDE * FILE_BYTES));
    return settings;
  }

  /**
   * Starts the cluster and writes the files.
   *
   * @param directory the cluster's
   * @param seconds how long outputs are measured
   */
  static OutputsBed start(Path directory, int seconds, StepLog log) throws IOException {
    log.say("starting HDFS");
    long diskBytes = diskBytes(2 * FILES_EACH_SIDE * FILE_BYTES);
    return BedClusters.start(
        BedClusters.hdfs(directory, DiskKind.VIRTUAL, 1, diskBytes).littlePageCache(),
        cluster -> new OutputsBed(cluster, seconds, log));
  }

  private static void write(FileSystem fs, int side) throws IOException {
    StreamFiles.write(
        fs,
        new org.apache.hadoop.fs.Path(FILES, Integer.toString(side)),
        0,
        FILES_EACH_SIDE,
        FILE_BYTES,
        bytes -> {});
  }

  /** The same, and {@code disk_mb_per_s}, what outputs and streams read together. */
  @Override
  protected ObjectNode measured(String condition, OutputsSystem system) throws IOException {
    cluster().evictPageCache();
    List<String> arguments = arguments(system);
    ClientCommand client = cluster().client(RandomOutputs.class, arguments.toArray(new String[0]));
    ObjectNode result = besideStreams(client, seconds, DIRECTORY, STREAMS);
    double streams = result.at("/own/mb_per_s").asDouble();
    return result.put("disk_mb_per_s", streams + result.at("/client/mb_per_s").asDouble());
  }

  private List<String> arguments(OutputsSystem system) {
    int targetMillis = (int) (TARGET_SHARE * MS_PER_SECOND / OutputsExperiment.RATE);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--directory=" + FILES,
                "--length=" + READ_BYTES,
                "--reads=" + READS,
                "--rate=" + OutputsExperiment.RATE,
                "--seconds=" + seconds,
                "--priority=" + IoPriority.realtime(0).within(targetMillis)));
    if (system == OutputsSystem.CONTAINERS) {
      arguments.add("--together");
    }
    return arguments;
  }
}
