// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.bed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.SystemsExperiment;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.MeasuredClient;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;

/**
 * A cluster on virtual disks, and a client that is measured on it, alone or beside other work. Not
 * thread-safe, except that {@link #close} may be called by another thread.
 */
public abstract class ClientBed<S extends TriedSystem> implements SystemsExperiment.Bed<S> {

  /** What a measurement takes beside the measured time, about. */
  public static final int EXTRA_SECONDS = 9;

  /** Requests of a client that are under way at the same time, at most. */
  protected static final int CLIENT_THREADS = 128;

  /** From the begin of the client until it and what is beside it are in full swing. */
  private static final int RAMP_SECONDS = 4;

  /** How often streams report what they have read. */
  private static final long REPORT_MS = 1_000;

  private static final double BYTES_PER_MB = 1e6;

  private final LocalCluster cluster;
  private final Drives drives;
  private final Path logs;
  private int measurements;

  protected ClientBed(LocalCluster cluster) throws IOException {
    this.cluster = cluster;
    this.drives = new Drives(cluster);
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("clients"));
  }

  /** What goes on beside the client. */
  @FunctionalInterface
  protected interface Beside {
    /**
     * Does it.
     *
     * @param from when measuring begins, in milliseconds since the epoch
     * @param to when it ends; nothing new begins afterwards
     * @return its figures
     */
    ObjectNode run(long from, long to) throws IOException;
  }

  protected final LocalCluster cluster() {
    return cluster;
  }

  protected final Drives drives() {
    return drives;
  }

  /** Where the logs of clients go. */
  protected final Path logs() {
    return logs;
  }

  /** A number that each measurement has for itself, from 1. */
  protected final int measurements() {
    return measurements;
  }

  protected static LongConsumer progress(StepLog log, long all, String what) {
    return done -> log.at((double) done / all, done + " of " + all + " " + what);
  }

  /**
   * Measures one condition.
   *
   * @return fields {@code client} and {@code own}, the figures of what is beside it, where there
   *     are such; {@code gate}, {@code drives}, and {@code commands}
   */
  @Override
  public final ObjectNode measure(String condition, S system) throws IOException {
    measurements++;
    system.apply(cluster);
    return measured(condition, system);
  }

  /** The same; the daemons are configured. */
  protected abstract ObjectNode measured(String condition, S system) throws IOException;

  /** Called when measuring begins. */
  protected void begins() throws IOException {}

  /** Called when measuring has ended and the drives' figures are taken. */
  protected void ends() throws IOException {}

  /**
   * Measures a client, as field {@code client}, and what goes on meanwhile, as field {@code own}.
   *
   * @param seconds how long the client measures, as its command says
   */
  protected final ObjectNode measured(ClientCommand client, int seconds, Optional<Beside> beside)
      throws IOException {
    ObjectNode result = new ObjectMapper().createObjectNode();
    result.putArray("commands").add(client.toText());
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (MeasuredClient running =
        MeasuredClient.start("client", client, logs, "measurement-" + measurements)) {
      long from = running.begin(RAMP_SECONDS);
      long to = from + TimeUnit.SECONDS.toMillis(seconds);
      Optional<Future<ObjectNode>> own =
          beside.map(work -> executor.submit(() -> work.run(from, to)));
      running.awaitTime(from);
      drives.resetStats();
      begins();
      running.awaitTime(to);
      drives.addTo(result);
      ends();
      result.set("client", running.result());
      Drives.allowLatenessToClient(result, result.at("/client/p99_ms").asDouble());
      if (own.isPresent()) {
        result.set("own", get(own.get()));
      }
      return result;
    } finally {
      executor.shutdownNow();
    }
  }

  private static ObjectNode get(Future<ObjectNode> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the cluster worked");
    }
  }

  /**
   * Measures a client beside streams of reads without a priority, which have {@code mb_per_s} and
   * {@code longest_wait_ms} of field {@code own}.
   *
   * @param directory of the streams' files
   */
  protected final ObjectNode besideStreams(
      ClientCommand client, int seconds, String directory, int streams) throws IOException {
    ClientCommand readers =
        cluster.client(StreamReaders.class, StreamLoad.arguments(directory, streams)).stock();
    try (StreamLoad load =
        StreamLoad.start(readers, logs.resolve("measurement-" + measurements + "-streams.log"))) {
      ObjectNode result =
          measured(client, seconds, Optional.of((from, to) -> streams(load, from, to)));
      result.withArray("commands").add(readers.toText());
      return result;
    }
  }

  private static ObjectNode streams(StreamLoad load, long from, long to) throws IOException {
    // The report that is nearest to the end may come after it.
    Pauses.sleep(Math.max(0, to + REPORT_MS - System.currentTimeMillis()));
    load.requireAlive();
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("mb_per_s", load.bytesPerSecond(from, to) / BYTES_PER_MB);
    json.put("longest_wait_ms", load.longestWaitMillis(from, to));
    return json;
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
