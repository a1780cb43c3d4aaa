// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.lab.bench.bed.BlockFiles;
import org.hadoopprio.lab.bench.bed.Evictor;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;
import org.hadoopprio.lab.workload.StreamWriters;

/**
 * Streams that read or write the files of a directory; a stock client if they state no priority.
 */
final class StreamsLoad implements RunningLoad {

  static final String DIRECTORY = "directory";
  static final String STREAMS = "streams";

  /** Of each file that is written. */
  static final String BYTES = "bytes";

  /**
   * Whether what was read leaves the page cache at once, the default. If not, new data replace
   * older data there, in the same pages, and a file that was read to its end is dropped, so that a
   * stream which is far ahead of others does not read it from the page cache from then on.
   */
  static final String DROP_BEHIND = "drop-behind";

  /** The part of the time in which the drive worked for the streams' priority. */
  static final String BUSY = "busy";

  static final List<String> FIGURES = List.of(Column.THROUGHPUT, "longest_wait_ms", BUSY);

  /** How often streams report what they have done. */
  private static final long REPORT_MS = 1_000;

  private static final double BYTES_PER_MB = 1e6;

  private final StreamLoad load;
  private final Evictor evictor;
  private final String command;

  private StreamsLoad(StreamLoad load, Evictor evictor, String command) {
    this.load = load;
    this.evictor = evictor;
    this.command = command;
  }

  /** See {@link LoadKind#check}. */
  static void check(Map<String, String> parameters) {
    for (String number : List.of(STREAMS, BYTES)) {
      if (!parameters.getOrDefault(number, "1").matches("[1-9]\\d{0,11}")) {
        throw new IllegalArgumentException(
            "\"" + parameters.get(number) + "\" for " + number + "; allowed: 1 or more");
      }
    }
    if (!List.of("true", "false").contains(parameters.getOrDefault(DROP_BEHIND, "true"))) {
      throw new IllegalArgumentException(
          "\"" + parameters.get(DROP_BEHIND) + "\" for " + DROP_BEHIND + "; allowed: true, false");
    }
    if (parameters.containsKey(ClientLoad.PRIORITY)) {
      IoPriority.parse(parameters.get(ClientLoad.PRIORITY));
    }
  }

  /** Returns when they read or write. */
  static StreamsLoad start(Start start) throws IOException {
    Map<String, String> parameters = start.parameters();
    boolean writing = parameters.containsKey(BYTES);
    boolean keeping = parameters.getOrDefault(DROP_BEHIND, "true").equals("false");
    List<String> arguments = new ArrayList<>();
    if (keeping && start.cluster().hasLittlePageCache()) {
      Collections.addAll(arguments, "-D", "dfs.client.cache.drop.behind.reads=false");
    }
    Collections.addAll(arguments, parameters.get(DIRECTORY), parameters.get(STREAMS));
    if (writing) {
      arguments.add(parameters.get(BYTES));
    }
    ClientCommand command =
        start
            .cluster()
            .client(
                writing ? StreamWriters.class : StreamReaders.class,
                arguments.toArray(new String[0]));
    if (parameters.containsKey(ClientLoad.PRIORITY)) {
      command.env(CurrentPriority.ENVIRONMENT_VARIABLE, parameters.get(ClientLoad.PRIORITY));
    } else {
      command.stock();
    }
    Evictor evictor =
        Evictor.start(
            Set.of(),
            keeping ? BlockFiles.byFile(start.cluster(), parameters.get(DIRECTORY)) : Map.of());
    try {
      StreamLoad load =
          StreamLoad.start(
              command.toProcessBuilder(),
              start.logs().resolve(start.id() + ".log"),
              evictor::finished);
      return new StreamsLoad(load, evictor, command.toText());
    } catch (IOException | RuntimeException e) {
      evictor.close();
      throw e;
    }
  }

  @Override
  public List<String> commands() {
    return List.of(command);
  }

  @Override
  public void requireAlive() throws IOException {
    load.requireAlive();
    evictor.requireNoFailure();
  }

  @Override
  public JsonNode figures(long from, long to) throws IOException {
    // The report that is nearest to the end may come after it.
    Pauses.sleep(Math.max(0, to + REPORT_MS - System.currentTimeMillis()));
    requireAlive();
    return new ObjectMapper()
        .createObjectNode()
        .put(Column.THROUGHPUT, load.bytesPerSecond(from, to) / BYTES_PER_MB)
        .put("longest_wait_ms", load.longestWaitMillis(from, to));
  }

  @Override
  public void close() {
    load.close();
    evictor.close();
  }
}
