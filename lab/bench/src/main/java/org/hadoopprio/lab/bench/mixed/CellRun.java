// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.hadoopprio.IoPriority;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.bed.BlockFiles;
import org.hadoopprio.lab.bench.bed.Evictor;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.DiskLoad;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.YcsbClient;
import org.hadoopprio.lab.workload.YcsbReads;

/** One cell: background, Gets, ramp, measured window. For one use by one thread. */
final class CellRun {

  /** So many threads that they are seldom all busy, also where a Get takes a second. */
  private static final int OPEN_THREADS = 64;

  /** What the disk reads for a Get: a block of 57,344 bytes and its last record, in whole pages. */
  private static final double GET_BYTES = 61_440;

  /** Of what the disk reads, so much may go through the DataNode with short circuit. */
  private static final double MAX_SENT = 0.05;

  private static final double MICROS_PER_MS = 1_000;
  private static final long TICK_MS = 1_000;

  private final MixedBed bed;
  private final Cell cell;
  private final StepLog log;
  private final MixedSystem system;
  private final Deployment deployment;
  private final Background background;
  private final GetLoad load;
  private final Path logs;
  private final List<String> commands = new ArrayList<>();

  CellRun(MixedBed bed, Cell cell, StepLog log) {
    this.bed = bed;
    this.cell = cell;
    this.log = log;
    this.system = MixedPlan.system(cell);
    this.deployment = Deployment.of(cell);
    this.background = MixedPlan.background(cell);
    this.load = MixedPlan.load(cell);
    this.logs = bed.logs().resolve(cell.id());
  }

  ObjectNode run() throws IOException {
    bed.deploy(deployment);
    commands.add("daemons: " + deployment);
    if (bed.vhdd().isPresent()) {
      bed.vhdd().get().set(Map.of("mode", system.driveMode()));
      commands.add("vhdd set DISK mode=" + system.driveMode());
    }
    bed.freeMemory();
    try (Resources open = new Resources()) {
      bed.queue().scheduler(system.scheduler());
      commands.add("echo " + system.scheduler() + " >/sys/block/DISK/queue/scheduler");
      if (system.byIoNice()) {
        setClasses(open);
      }
      Evictor evictor =
          open.add(Evictor.start(BlockFiles.of(bed.cluster(), uncached()), bed.streamBlocks()));
      log.say("background: " + background.label());
      BackgroundWork work = open.add(startBackground(evictor));
      commands.addAll(work.commands());
      log.say("Gets: " + (system.hasGets() ? load.label() : "none"));
      List<YcsbReads> gets = startGets(open);
      ObjectNode measured = measure(work, gets);
      evictor.requireNoFailure();
      return measured;
    }
  }

  /** What is closed in the reverse order, whatever fails. */
  private static final class Resources implements Closeable {

    private final Deque<Closeable> open = new ArrayDeque<>();

    <T extends Closeable> T add(T resource) {
      open.push(resource);
      return resource;
    }

    @Override
    public void close() throws IOException {
      IOException failure = null;
      while (!open.isEmpty()) {
        try {
          open.pop().close();
        } catch (IOException e) {
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  private void setClasses(Resources open) throws IOException {
    LocalCluster cluster = bed.cluster();
    IoNice gets = open.add(IoNice.realtime(cluster.daemon(Role.REGIONSERVER)));
    commands.add(gets.command());
    if (background.isJob()) {
      IoNice jobs = open.add(IoNice.idle(cluster.daemon(Role.NODEMANAGER)));
      commands.add(jobs.command());
    }
  }

  /** What must leave the page cache again and does not do so by itself. */
  private String[] uncached() {
    String gets = MixedBed.tableDirectory(bed.scale().readTable());
    // Drop-behind is the DataNode's, which does not read here (BlockReaderLocal has none).
    boolean drops = !system.local();
    // Of those that read instead of it, YARN's containers have no limit.
    boolean limited = bed.cluster().hasLittlePageCache() && background != Background.WORDCOUNT;
    if (drops || limited) {
      return new String[] {gets};
    }
    return switch (background) {
      case WORDCOUNT -> new String[] {gets, MixedBed.TEXT_DIRECTORY};
      case ROWCOUNTER -> new String[] {gets, MixedBed.tableDirectory(bed.scale().countTable())};
      default -> new String[] {gets, MixedBed.STREAM_DIRECTORY};
    };
  }

  private BackgroundWork startBackground(Evictor evictor) throws IOException {
    if (background == Background.NONE) {
      return BackgroundWork.NONE;
    }
    return background.isJob()
        ? JobWork.start(bed, cell, logs)
        : StreamWork.start(bed, cell, logs, evictor);
  }

  /** A client for each priority; together they are the load. */
  private List<YcsbReads> startGets(Resources open) throws IOException {
    List<Optional<IoPriority>> priorities = system.getPriorities();
    List<YcsbReads> clients = new ArrayList<>();
    for (int i = 0; i < priorities.size(); i++) {
      YcsbReads.Arrival arrival =
          YcsbReads.Arrival.poisson(
              load.getsPerSecond() / priorities.size(),
              cell.repetition() + 1000L * i,
              OPEN_THREADS);
      List<String> arguments =
          YcsbReads.arguments(bed.scale().readTable(), arrival, priorities.get(i));
      commands.add(client(arguments.toArray(new String[0])).toText());
      Path own = priorities.size() == 1 ? logs : logs.resolve("level-" + i);
      clients.add(
          open.add(
              YcsbReads.start(all -> client(all).toProcessBuilder(), arguments, arrival, own)));
    }
    return clients;
  }

  private ClientCommand client(String... arguments) throws IOException {
    ClientCommand client = bed.cluster().client(YcsbClient.MAIN_CLASS, arguments);
    return system.prioritised() ? client : client.agentClassesOnly();
  }

  private ObjectNode measure(BackgroundWork work, List<YcsbReads> gets) throws IOException {
    pass(bed.scale().rampSeconds(), "ramp", work, gets);
    if (bed.vhdd().isPresent()) {
      bed.vhdd().get().resetStats();
    }
    DiskLoad disk = DiskLoad.start(bed.devices());
    long sent = bed.dataNodeBytesRead();
    long start = System.currentTimeMillis();
    pass(bed.scale().seconds(), "measuring", work, gets);
    long end = System.currentTimeMillis();
    Optional<JsonNode> drive =
        bed.vhdd().isPresent() ? Optional.of(bed.vhdd().get().stats()) : Optional.empty();
    double busy = disk.busyShare();
    long reads = disk.reads();
    long bytes = disk.readBytes();
    if (system.local()) {
      requireShortCircuit(bed.dataNodeBytesRead() - sent, bytes);
    }
    // YCSB writes the last second's histogram together with the next one.
    pass(2, "last histogram", work, gets);

    ObjectNode json = new ObjectMapper().createObjectNode();
    double length = (end - start) / 1000.0;
    Histogram latencies = addGets(json, gets, start, end);
    ObjectNode ground = json.putObject("background");
    ground.put(
        "bytes_per_second",
        work.bytesPerSecond(start, end)
            .orElse(Math.max(0, bytes - latencies.getTotalCount() * GET_BYTES) / length));
    work.longestWaitMillis(start, end).ifPresent(wait -> ground.put("longest_wait_ms", wait));
    ObjectNode diskJson = json.putObject("disk");
    diskJson.put("busy_share", busy);
    diskJson.put("reads", reads);
    diskJson.put("read_bytes_per_second", bytes / length);
    diskJson.put("queue", bed.queue().describe());
    readsOfGets(reads, drive)
        .filter(own -> system.hasGets())
        .ifPresent(own -> diskJson.put("reads_per_get", own / latencies.getTotalCount()));
    drive.ifPresent(
        stats -> {
          diskJson.set("classes", stats.path("classes"));
          json.set("gate", gate(stats));
        });
    if (CellPrediction.applies(cell)) {
      JsonNode agent =
          bed.cluster().jmx(bed.cluster().daemon(Role.DATANODE), PriorityMBean.OBJECT_NAME);
      double readsPerGet = diskJson.path("reads_per_get").asDouble(1);
      CellPrediction.of(cell, agent.path(0).path("Volumes"), readsPerGet)
          .ifPresent(found -> json.set("predicted", found));
    }
    ArrayNode lines = json.putArray("commands");
    commands.forEach(lines::add);
    return json;
  }

  private void pass(int length, String what, BackgroundWork work, List<YcsbReads> gets)
      throws IOException {
    long start = System.nanoTime();
    for (int second = 1; second <= length; second++) {
      long wait = TICK_MS * second - (System.nanoTime() - start) / 1_000_000;
      Pauses.sleep(Math.max(0, wait), "stopped");
      for (YcsbReads client : gets) {
        client.requireAlive();
      }
      work.requireAlive();
      log.at((double) second / length, what + ", " + second + " of " + length + " s");
    }
  }

  /**
   * Adds {@code gets}, those of all clients together, if there are any, and {@code levels} if there
   * are several.
   *
   * @return the latencies of all
   */
  private static Histogram addGets(ObjectNode json, List<YcsbReads> clients, long start, long end)
      throws IOException {
    if (clients.isEmpty()) {
      return new Histogram(3);
    }
    double length = (end - start) / 1000.0;
    Histogram all = null;
    long failures = 0;
    ArrayNode levels = new ObjectMapper().createArrayNode();
    for (YcsbReads client : clients) {
      Histogram own = client.latencies(start, end);
      long failed = client.failures(start, end);
      failures += failed;
      addGets(levels.addObject(), own, failed, length);
      if (all == null) {
        all = own;
      } else {
        all.add(own);
      }
    }
    addGets(json.putObject("gets"), all, failures, length);
    if (clients.size() > 1) {
      json.set("levels", levels);
    }
    return all;
  }

  private static void addGets(ObjectNode json, Histogram latencies, long failures, double length)
      throws IOException {
    if (latencies.getTotalCount() == 0) {
      throw new IOException("no Get has ended in the measured window");
    }
    json.put("count", latencies.getTotalCount());
    json.put("failures", failures);
    json.put("per_second", latencies.getTotalCount() / length);
    json.put("mean_ms", latencies.getMean() / MICROS_PER_MS);
    json.put("p50_ms", latencies.getValueAtPercentile(50) / MICROS_PER_MS);
    json.put("p95_ms", latencies.getValueAtPercentile(95) / MICROS_PER_MS);
    json.put("p99_ms", latencies.getValueAtPercentile(99) / MICROS_PER_MS);
    json.put("p999_ms", latencies.getValueAtPercentile(99.9) / MICROS_PER_MS);
    json.put("max_ms", latencies.getMaxValue() / MICROS_PER_MS);
  }

  /** The disk's reads that were Gets'; empty where they cannot be told from others. */
  private Optional<Double> readsOfGets(long allReads, Optional<JsonNode> drive) {
    if (background == Background.NONE) {
      return Optional.of((double) allReads);
    }
    return drive
        .filter(stats -> system.prioritised())
        .map(stats -> DriveClasses.of(stats, "rt", "read").path("count").asDouble());
  }

  /** HDFS says nothing where it falls back on the DataNode. */
  private static void requireShortCircuit(long sent, long read) throws IOException {
    if (sent > read * MAX_SENT) {
      throw new IOException(
          "reads did not use short circuit: the DataNode sent "
              + sent
              + " bytes while the disk read "
              + read
              + "; the logs of RegionServer, clients and DataNode may say why");
    }
  }

  private static ObjectNode gate(JsonNode stats) {
    ObjectNode gate = new ObjectMapper().createObjectNode();
    JsonNode priorities = stats.path("priorities");
    gate.put("missing", priorities.path("missing").asLong());
    gate.put("wrong", priorities.path("wrong").asLong());
    gate.put("lost", priorities.path("lost").asLong());
    gate.put("failed", stats.path("failed").asLong());
    gate.put("not_timed", stats.path("not_timed").asLong());
    gate.put("queue_max", stats.path("queue_max").asLong());
    gate.put("late_arrival_p99_ms", stats.path("late_arrival_ms").path("p99").asDouble());
    gate.put("lateness_p99_ms", stats.path("lateness_ms").path("p99").asDouble());
    gate.put("lateness_p999_ms", stats.path("lateness_ms").path("p99.9").asDouble());
    gate.put("valid", stats.path("valid").asBoolean());
    gate.set("reasons", stats.path("reasons"));
    return gate;
  }
}
