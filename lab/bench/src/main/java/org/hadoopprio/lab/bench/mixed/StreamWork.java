package org.hadoopprio.lab.bench.mixed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.hadoopprio.lab.cluster.ClientCommand;
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

  static StreamWork start(MixedBed bed, MixedSystem system, int streams, Path logs, Evictor evictor)
      throws IOException {
    String[] arguments =
        system == MixedSystem.THROTTLE
            ? StreamLoad.arguments(
                MixedBed.STREAM_DIRECTORY, streams, MixedExperiment.THROTTLE_BYTES_PER_SECOND)
            : StreamLoad.arguments(MixedBed.STREAM_DIRECTORY, streams);
    ClientCommand client = bed.cluster().client(StreamReaders.class.getName(), arguments);
    if (system.prioritised()) {
      client.env("HADOOP_IO_PRIORITY", MixedExperiment.BACKGROUND_PRIORITY.toString());
    } else {
      client.stock();
    }
    ProcessBuilder builder = client.toProcessBuilder();
    List<String> prefix = system == MixedSystem.IONICE ? IoNice.IDLE_PREFIX : List.of();
    List<String> line = new ArrayList<>(prefix);
    line.addAll(builder.command());
    builder.command(line);
    String text = (String.join(" ", prefix) + " " + client.toText()).strip();
    return new StreamWork(
        StreamLoad.start(
            builder,
            logs.resolve("streams.log"),
            file -> evictor.evictSoon(bed.streamBlocks(file))),
        text);
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
