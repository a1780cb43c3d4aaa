// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.together;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.workload.RandomOutputs;
import org.hadoopprio.lab.workload.StreamFiles;

/** HDFS, with files that the reads of outputs go to, on both sides of the streams' files. */
final class OutputsBed implements TogetherExperiment.Measuring<OutputsSystem> {

  /** Of an output; 5 outputs a second need about half of a disk of 7200 rpm. */
  static final int READS = 8;

  static final int READ_BYTES = 64 << 10;

  /** The part of an output's period that is its latency target; the client needs the rest. */
  private static final double TARGET_SHARE = 0.9;

  private static final String FILES = "/outputs";
  private static final int FILES_EACH_SIDE = 32;
  private static final long FILE_BYTES = 16L << 20;
  private static final double MS_PER_SECOND = 1e3;

  private final StreamsBed bed;
  private final int seconds;

  private OutputsBed(StreamsBed bed, int seconds) {
    this.bed = bed;
    this.seconds = seconds;
  }

  /** What makes measurements comparable. */
  static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("reads", Integer.toString(READS));
    settings.put("read-bytes", Integer.toString(READ_BYTES));
    settings.put("target-share", Double.toString(TARGET_SHARE));
    settings.put("streams", Integer.toString(StreamsBed.STREAMS));
    settings.put("stream-bytes", Long.toString(StreamsBed.ALL_STREAM_BYTES));
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
    LocalCluster cluster =
        StreamsBed.cluster(directory, 2 * FILES_EACH_SIDE * FILE_BYTES).hbase(false).start();
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      StreamsBed bed = new StreamsBed(cluster);
      bed.drives()
          .fast(
              () -> {
                write(fs, 0);
                bed.writeStreams(fs, log);
                write(fs, 1);
              });
      return new OutputsBed(bed, seconds);
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
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

  @Override
  public ObjectNode measure(String load, OutputsSystem system) throws IOException {
    List<String> arguments = arguments(OutputsExperiment.rate(load), system);
    bed.prepare(system.mode());
    return bed.measure(
        bed.cluster().client(RandomOutputs.class, arguments.toArray(new String[0])),
        seconds,
        system.isMix());
  }

  private List<String> arguments(int rate, OutputsSystem system) {
    List<String> arguments = new ArrayList<>();
    Collections.addAll(
        arguments,
        "--directory=" + FILES,
        "--length=" + READ_BYTES,
        "--reads=" + READS,
        "--rate=" + rate,
        "--seconds=" + seconds);
    IoPriority priority = IoPriority.realtime(0);
    switch (system) {
      case OWN_DEADLINES:
        arguments.add("--priority=" + withTarget(priority, rate));
        break;
      case CONTAINERS:
        Collections.addAll(arguments, "--priority=" + withTarget(priority, rate), "--together");
        break;
      case AT_ONCE:
        arguments.add("--priority=" + priority);
        break;
      default:
        Collections.addAll(
            arguments,
            "--mix-pieces=" + system.pieces(),
            "--mix-streams=" + StreamsBed.STREAMS,
            "--mix-directory=" + StreamsBed.DIRECTORY);
    }
    return arguments;
  }

  private static IoPriority withTarget(IoPriority priority, int rate) {
    return priority.within((int) (TARGET_SHARE * MS_PER_SECOND / rate));
  }

  @Override
  public void close() throws IOException {
    bed.close();
  }
}
