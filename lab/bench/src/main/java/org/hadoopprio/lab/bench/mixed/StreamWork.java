// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.hadoopprio.lab.bench.bed.Evictor;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;

/** Streams of sequential reads as background. */
final class StreamWork implements BackgroundWork {

  private final StreamLoad load;
  private final String command;

  private StreamWork(StreamLoad load, String command) {
    this.load = load;
    this.command = command;
  }

  static StreamWork start(MixedBed bed, Cell cell, Path logs, Evictor evictor) throws IOException {
    MixedSystem system = MixedPlan.system(cell);
    List<String> arguments = Deployment.of(cell).clientOptions();
    arguments.addAll(List.of(streams(system, MixedPlan.background(cell).streams())));
    ClientCommand client =
        bed.cluster().client(StreamReaders.class.getName(), arguments.toArray(new String[0]));
    if (system.prioritised()) {
      client.env("HADOOP_IO_PRIORITY", MixedExperiment.BACKGROUND_PRIORITY.toString());
    } else {
      client.stock();
    }
    ProcessBuilder builder = client.toProcessBuilder();
    List<String> prefix = system.byIoNice() ? IoNice.IDLE_PREFIX : List.of();
    List<String> line = new ArrayList<>(memory(bed, system));
    line.addAll(prefix);
    line.addAll(builder.command());
    builder.command(line);
    String text = (String.join(" ", prefix) + " " + client.toText()).strip();
    return new StreamWork(
        StreamLoad.start(builder, logs.resolve("streams.log"), evictor::finished), text);
  }

  /** With short circuit the page cache of what the streams read is theirs, not the DataNode's. */
  private static List<String> memory(MixedBed bed, MixedSystem system) throws IOException {
    LocalCluster cluster = bed.cluster();
    return system.local()
        ? SharedMemory.prefix(cluster, cluster.daemon(Role.REGIONSERVER))
        : List.of();
  }

  private static String[] streams(MixedSystem system, int count) {
    return system == MixedSystem.THROTTLE
        ? StreamLoad.arguments(
            MixedBed.STREAM_DIRECTORY, count, MixedExperiment.THROTTLE_BYTES_PER_SECOND)
        : StreamLoad.arguments(MixedBed.STREAM_DIRECTORY, count);
  }

  @Override
  public List<String> commands() {
    return List.of(command);
  }

  @Override
  public void requireAlive() throws IOException {
    load.requireAlive();
  }

  @Override
  public OptionalDouble bytesPerSecond(long fromMillis, long toMillis) {
    return OptionalDouble.of(load.bytesPerSecond(fromMillis, toMillis));
  }

  @Override
  public OptionalDouble longestWaitMillis(long fromMillis, long toMillis) {
    return OptionalDouble.of(load.longestWaitMillis(fromMillis, toMillis));
  }

  @Override
  public void close() {
    load.close();
  }
}
