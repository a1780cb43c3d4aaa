// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.workload.ChildProcess;
import org.hadoopprio.lab.workload.MapReduceJob;

/** A program that is run again when it ends. Thread-safe. */
final class Repeated implements Closeable {

  /** Where wordcount writes. */
  static final String COUNTS = "/owners/counts";

  private static final long POLL_MS = 200;
  private static final long PAUSE_MS = 5_000;
  private static final long END_TIMEOUT_MS = 60_000;

  /** Makes a command. */
  private interface Command {
    ClientCommand number(int run) throws IOException;
  }

  private final Command command;
  private final String name;
  private final Path logs;
  private final String text;
  private final Thread thread = new Thread(this::repeat, "repeated");
  private final AtomicInteger runs = new AtomicInteger();
  private volatile boolean ending;
  private volatile IOException failure;

  private Repeated(String name, Command command, Path logs) throws IOException {
    this.name = name;
    this.command = command;
    this.logs = logs;
    this.text = command.number(1).toText();
    thread.setDaemon(true);
    thread.start();
  }

  /** HDFS's balancer. */
  static Repeated balancer(LocalCluster cluster, Path logs) throws IOException {
    return new Repeated(
        "balancer",
        run ->
            cluster
                .client("org.apache.hadoop.hdfs.server.balancer.Balancer", "-threshold", "1")
                .env(CurrentPriority.ENVIRONMENT_VARIABLE, Owner.BALANCER.priority().toString()),
        logs);
  }

  /** MapReduce's example that counts words. */
  static Repeated wordCount(LocalCluster cluster, Path logs) throws IOException {
    Path agent = Installation.find().agentJar();
    List<String> options = new ArrayList<>(MapReduceJob.environment(Owner.JOB.priority(), agent));
    options.add(options.get(0).replace("mapreduce.map.env", "yarn.app.mapreduce.am.env"));
    options.add(OwnersBed.TEXT_DIRECTORY);
    return new Repeated(
        "wordcount",
        run -> {
          List<String> arguments = new ArrayList<>(options);
          arguments.add(COUNTS + "/" + run);
          return cluster
              .client("org.apache.hadoop.examples.WordCount", arguments.toArray(new String[0]))
              .env(CurrentPriority.ENVIRONMENT_VARIABLE, Owner.JOB.priority().toString());
        },
        logs);
  }

  private void repeat() {
    try {
      while (!ending) {
        int run = runs.get() + 1;
        try (ChildProcess process =
            ChildProcess.start(
                name,
                command.number(run).toProcessBuilder(),
                logs.resolve(name + "-" + run + ".log"),
                line -> {})) {
          boolean ended;
          do {
            ended = process.await(POLL_MS);
          } while (!ended);
        }
        runs.set(run);
        Thread.sleep(PAUSE_MS);
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      return;
    }
  }

  /** How many have ended. */
  int runs() {
    return runs.get();
  }

  /** The first one's command, for people. */
  String command() {
    return text;
  }

  /** Starts no other, and lets the one that runs come to its end if it does not take long. */
  void end() throws IOException {
    ending = true;
    try {
      thread.join(END_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + name, e);
    }
    if (failure != null) {
      throw new IOException(name + " failed", failure);
    }
    close();
  }

  @Override
  public void close() {
    ending = true;
    thread.interrupt();
  }
}
