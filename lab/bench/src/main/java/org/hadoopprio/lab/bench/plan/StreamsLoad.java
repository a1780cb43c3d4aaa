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
import java.util.TreeMap;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.lab.bench.bed.BlockFiles;
import org.hadoopprio.lab.bench.bed.Evictor;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.ShortCircuit;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;
import org.hadoopprio.lab.workload.StreamWriters;

/**
 * Streams that read or write the files of a directory; a stock client if they state neither a
 * priority nor, to daemons with the agent, a tenant.
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

  /** What all of them read in a second at most, together. */
  static final String BYTES_PER_SECOND = "bytes-per-second";

  /** The I/O class of their process. */
  static final String IONICE = "ionice";

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
    for (String number : List.of(STREAMS, BYTES, BYTES_PER_SECOND)) {
      if (!parameters.getOrDefault(number, "1").matches("[1-9]\\d{0,11}")) {
        throw bad(number, parameters, "1 or more");
      }
    }
    if (!List.of("true", "false").contains(parameters.getOrDefault(DROP_BEHIND, "true"))) {
      throw bad(DROP_BEHIND, parameters, "true, false");
    }
    if (!IoNice.CLASSES.contains(parameters.getOrDefault(IONICE, IoNice.CLASSES.get(0)))) {
      throw bad(IONICE, parameters, String.join(", ", IoNice.CLASSES));
    }
    ClientLoad.checkPriority(parameters);
    Tenants.check(parameters);
  }

  private static BadParameter bad(String name, Map<String, String> parameters, String allowed) {
    return new BadParameter(
        name, "\"" + parameters.get(name) + "\" for " + name + "; allowed: " + allowed);
  }

  /** Returns when they read or write. */
  static StreamsLoad start(Start start) throws IOException {
    Map<String, String> parameters = start.parameters();
    ClientCommand command = command(start);
    List<String> prefix = new ArrayList<>();
    if (parameters.containsKey(IONICE)) {
      prefix.addAll(IoNice.prefix(parameters.get(IONICE)));
    }
    String text = (String.join(" ", prefix) + " " + command.toText()).strip();
    if (start.daemons().shortCircuit()) {
      // The page cache of what they read is theirs, and not the DataNode's.
      for (Daemon regionServer : start.cluster().daemons(Role.REGIONSERVER)) {
        prefix.addAll(0, SharedMemory.prefix(start.cluster(), regionServer));
      }
    }
    ProcessBuilder builder = command.toProcessBuilder();
    builder.command().addAll(0, prefix);
    boolean writing = parameters.containsKey(BYTES);
    Evictor evictor =
        Evictor.start(
            Set.of(),
            writing ? Map.of() : BlockFiles.byFile(start.cluster(), parameters.get(DIRECTORY)));
    try {
      StreamLoad load =
          StreamLoad.start(builder, start.logs().resolve(start.id() + ".log"), evictor::finished);
      return new StreamsLoad(load, evictor, text);
    } catch (IOException | RuntimeException e) {
      evictor.close();
      throw e;
    }
  }

  private static ClientCommand command(Start start) throws IOException {
    Map<String, String> parameters = start.parameters();
    boolean writing = parameters.containsKey(BYTES);
    boolean keeping = parameters.getOrDefault(DROP_BEHIND, "true").equals("false");
    Map<String, String> conf = new TreeMap<>();
    if (keeping && start.cluster().hasLittlePageCache()) {
      conf.put("dfs.client.cache.drop.behind.reads", "false");
    }
    if (start.daemons().shortCircuit() && !writing) {
      conf.putAll(ShortCircuit.conf());
    }
    conf.putAll(Tenants.ofClient(parameters));
    List<String> arguments = new ArrayList<>();
    conf.forEach((key, value) -> Collections.addAll(arguments, "-D", key + "=" + value));
    Collections.addAll(arguments, parameters.get(DIRECTORY), parameters.get(STREAMS));
    for (String last : List.of(BYTES, BYTES_PER_SECOND)) {
      if (parameters.containsKey(last)) {
        arguments.add(parameters.get(last));
      }
    }
    ClientCommand command =
        start
            .cluster()
            .client(
                writing ? StreamWriters.class : StreamReaders.class,
                arguments.toArray(new String[0]));
    if (parameters.containsKey(ClientLoad.PRIORITY)) {
      return command.env(CurrentPriority.ENVIRONMENT_VARIABLE, parameters.get(ClientLoad.PRIORITY));
    }
    boolean saysWhose = parameters.containsKey(Tenants.PARAMETER) && start.daemons().agent();
    return saysWhose ? command : command.stock();
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
