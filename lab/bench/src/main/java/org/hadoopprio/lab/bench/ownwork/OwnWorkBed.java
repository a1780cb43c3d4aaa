// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
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
import org.hadoopprio.lab.bench.drives.Drives;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.workload.MeasuredClient;

/**
 * A cluster on virtual disks that a client uses while the cluster does work of its own accord. Not
 * thread-safe, except that {@link #close} may be called by another thread.
 */
abstract class OwnWorkBed implements Closeable {

  /** From the begin of the client until it and the cluster's own work are in full swing. */
  private static final int RAMP_SECONDS = 4;

  /** What a measurement takes beside the measured time, about. */
  static final int EXTRA_SECONDS = 9;

  /** Requests of a client that are under way at the same time, at most. */
  static final int CLIENT_THREADS = 128;

  private final LocalCluster cluster;
  private final Drives drives;
  private final Path logs;
  private int measurements;

  OwnWorkBed(LocalCluster cluster, OwnWorkDrive drive) throws IOException {
    this.cluster = cluster;
    this.drives = new Drives(cluster);
    drive.tune(drives);
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("clients"));
  }

  /** What the cluster does of its own accord. */
  @FunctionalInterface
  interface OwnWork {
    /**
     * Has it done.
     *
     * @param from when measuring begins, in milliseconds since the epoch
     * @param to when it ends; no new work begins afterwards
     * @return its figures
     */
    ObjectNode run(long from, long to) throws IOException;
  }

  LocalCluster cluster() {
    return cluster;
  }

  Drives drives() {
    return drives;
  }

  /** A number that each measurement has for itself, from 1. */
  int measurements() {
    return measurements;
  }

  /**
   * Measures one condition.
   *
   * @return fields of the client and of the cluster's own work where there are such, {@code gate},
   *     {@code drives}, and {@code commands}
   */
  final ObjectNode measure(String condition, OwnWorkSystem system) throws IOException {
    measurements++;
    system.apply(cluster);
    return measured(condition, system);
  }

  /** The same; the daemons are configured. */
  abstract ObjectNode measured(String condition, OwnWorkSystem system) throws IOException;

  /** Measures the cluster's own work alone, from its begin to its end, as field {@code own}. */
  final ObjectNode measured(OwnWork own) throws IOException {
    ObjectNode result = new ObjectMapper().createObjectNode();
    drives.resetStats();
    long now = System.currentTimeMillis();
    result.set("own", own.run(now, now));
    drives.addTo(result);
    Drives.allowLatenessToWork(result, result.at("/own/seconds").asDouble());
    return result;
  }

  /**
   * Measures a client, as field {@code client}, and what the cluster does meanwhile, as field
   * {@code own}.
   *
   * @param seconds how long the client measures, as its command says
   */
  final ObjectNode measured(ClientCommand client, int seconds, Optional<OwnWork> own)
      throws IOException {
    ObjectNode result = new ObjectMapper().createObjectNode();
    result.putArray("commands").add(client.toText());
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (MeasuredClient running =
        MeasuredClient.start("client", client, logs, "measurement-" + measurements)) {
      long from = running.begin(RAMP_SECONDS);
      long to = from + TimeUnit.SECONDS.toMillis(seconds);
      Optional<Future<ObjectNode>> beside =
          own.map(work -> executor.submit(() -> work.run(from, to)));
      running.awaitTime(from);
      drives.resetStats();
      running.awaitTime(to);
      drives.addTo(result);
      result.set("client", running.result());
      Drives.allowLatenessToClient(result, result.at("/client/p99_ms").asDouble());
      if (beside.isPresent()) {
        result.set("own", get(beside.get()));
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

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
