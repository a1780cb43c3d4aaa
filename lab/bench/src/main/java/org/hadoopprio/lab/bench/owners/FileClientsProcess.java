// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hadoopprio.doctor.trace.DeviceNumber;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.progress.Pauses;

/** The process of {@link FileClients}, as its parent sees it. Not thread-safe. */
final class FileClientsProcess implements Closeable {

  private static final long END_TIMEOUT_MS = 120_000;

  private final LocalCluster cluster;
  private final Map<String, long[]> files;
  private final Process process;
  private final PrintStream commands;
  private final List<List<String>> pipelines = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final Thread reader = new Thread(this::read, "file-clients-output");

  /**
   * Starts it.
   *
   * @param files is kept up to date: what each file that it writes holds; may be used by several
   *     threads
   */
  FileClientsProcess(LocalCluster cluster, OwnersScale scale, Path logs, Map<String, long[]> files)
      throws IOException {
    this.cluster = cluster;
    this.files = files;
    ProcessBuilder builder =
        cluster
            .client(
                FileClients.class,
                Integer.toString(scale.openMib()),
                Integer.toString(scale.stripedMib()))
            .toProcessBuilder();
    Files.createDirectories(logs);
    process = builder.redirectError(logs.resolve("file-clients.log").toFile()).start();
    commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
        .lines()
        .forEach(this::take);
  }

  private void take(String line) {
    String[] words = line.split(" ", -1);
    if (words[0].equals(FileClients.WROTE)) {
      files.put(words[1], new long[] {Long.parseLong(words[2]), Long.parseLong(words[3])});
    } else if (words[0].equals(FileClients.DELETED)) {
      files.remove(words[1]);
    } else if (words[0].equals(FileClients.PIPELINE)) {
      pipelines.add(List.of(words).subList(1, words.length));
    } else if (words[0].equals(FileClients.FAILED)) {
      failures.add(line);
    }
  }

  List<String> failures() {
    return failures;
  }

  int pipelines() throws IOException {
    if (!failures.isEmpty() || !process.isAlive()) {
      throw new IOException("the clients of files have failed: " + failures);
    }
    return pipelines.size();
  }

  List<String> firstPipeline() {
    return pipelines.get(0);
  }

  void say(String command) {
    commands.println(command);
  }

  void awaitEnd() throws IOException {
    Pauses.await("the end of the clients of files", END_TIMEOUT_MS, () -> !process.isAlive());
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The disk of the DataNode that came into the open file's pipeline, if one did. */
  Optional<DeviceNumber> added() throws IOException {
    List<Daemon> nodes = cluster.daemons(Role.DATANODE);
    List<String> last = pipelines.get(pipelines.size() - 1);
    for (int i = 0; i < nodes.size(); i++) {
      String port = Integer.toString(nodes.get(i).port("data"));
      if (last.contains(port) && !firstPipeline().contains(port)) {
        return cluster.disks().get(i).device();
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
