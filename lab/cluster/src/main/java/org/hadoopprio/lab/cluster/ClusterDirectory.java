// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.hadoopprio.lab.disk.Directories;

/** The layout of a cluster's directory, and its state file. Immutable. */
final class ClusterDirectory {

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .setVisibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
          .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
          .enable(SerializationFeature.INDENT_OUTPUT);

  private final Path root;

  ClusterDirectory(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  Path root() {
    return root;
  }

  Path disks() {
    return root.resolve("disks");
  }

  Path data(String daemon) {
    return root.resolve("data").resolve(daemon);
  }

  /** Where a NameNode keeps its file system. */
  Path nameNodeImage(String nameNode) {
    return data(nameNode).resolve("name");
  }

  Path conf(String daemon) {
    return root.resolve("conf").resolve(daemon);
  }

  Path clientConf() {
    return conf("client");
  }

  Path log(String daemon) {
    return logs().resolve(daemon + ".log");
  }

  Path logs() {
    return root.resolve("logs");
  }

  /** What a daemon writes to its standard output and error. */
  Path output(String daemon) {
    return logs().resolve(daemon + ".out");
  }

  Path pidFile(String daemon) {
    return root.resolve("run").resolve(daemon + ".pid");
  }

  private Path stateFile() {
    return root.resolve("cluster.json");
  }

  /**
   * Prepares the directory for a new cluster; deletes logs and configuration of a former one.
   *
   * @throws ClusterException if the directory holds anything but a former cluster
   */
  void prepare() throws IOException {
    Path mark = root.resolve(".hprio-cluster");
    if (!Files.exists(mark) && !isEmpty(root)) {
      throw new ClusterException(
          root + " is not empty and was not made by hprio; give another directory");
    }
    Files.createDirectories(root);
    Files.writeString(mark, "hprio deletes what is in this directory when it starts a cluster.\n");
    for (String name : new String[] {"conf", "logs", "run", "data"}) {
      Directories.delete(root.resolve(name));
      Files.createDirectories(root.resolve(name));
    }
    Files.createDirectories(disks());
  }

  private static boolean isEmpty(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return true;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    } catch (NotDirectoryException e) {
      throw new ClusterException(directory + " is no directory", e);
    }
  }

  /** Removes everything except logs and configuration, which help to find out what happened. */
  void removeData() throws IOException {
    for (String name : new String[] {"data", "run", "disks"}) {
      Directories.delete(root.resolve(name));
    }
    Files.deleteIfExists(stateFile());
  }

  /** The state of the cluster that was started here; empty when there is none. */
  Optional<ClusterState> readState() throws IOException {
    if (!Files.exists(stateFile())) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(stateFile().toFile(), ClusterState.class));
    } catch (JsonProcessingException e) {
      throw new ClusterException(stateFile() + " is no state file of a cluster", e);
    }
  }

  /** Writes the state atomically. */
  void writeState(ClusterState state) throws IOException {
    Path next = root.resolve("cluster.json.new");
    JSON.writeValue(next.toFile(), state);
    Files.move(next, stateFile(), StandardCopyOption.ATOMIC_MOVE);
  }
}
