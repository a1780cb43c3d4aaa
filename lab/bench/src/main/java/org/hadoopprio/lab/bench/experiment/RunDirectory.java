// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The directory of an experiment's results: {@code run.json} with what makes them comparable,
 * {@code cells/ID.json} for each measured cell, and the results of all cells. Every file is written
 * atomically. One process at a time has it open. Not safe for use by several threads.
 */
final class RunDirectory implements Closeable {

  private static final String RUN = "run.json";
  private static final String CELLS = "cells";
  private static final String LOCK = "lock";
  private static final String SEED = "seed";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path path;
  private final FileChannel lock;
  private ObjectNode run;

  private RunDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Opens the directory of an experiment; creates it if it does not exist.
   *
   * @param seed of the random order; empty for the stored one, or any in a new directory
   * @throws IOException if it holds results of something else, or of other settings
   */
  static RunDirectory open(Path path, Experiment experiment, Optional<Long> seed)
      throws IOException {
    requireOwn(path);
    Files.createDirectories(path.resolve(CELLS));
    RunDirectory directory = new RunDirectory(path, lock(path));
    try {
      directory.load(experiment, seed);
      return directory;
    } catch (IOException | RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  private static void requireOwn(Path path) throws IOException {
    if (!Files.isDirectory(path) || Files.exists(path.resolve(RUN))) {
      return;
    }
    try (Stream<Path> found = Files.list(path)) {
      // A run that was stopped before its first file leaves these two.
      if (found.anyMatch(p -> !List.of(LOCK, CELLS).contains(p.getFileName().toString()))) {
        throw new IOException(path + " is not empty and has no " + RUN + "; choose another --out");
      }
    }
  }

  private static FileChannel lock(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock held;
    try {
      held = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      held = null;
    }
    if (held == null) {
      channel.close();
      throw new IOException("another run is using " + path);
    }
    return channel;
  }

  private void load(Experiment experiment, Optional<Long> seed) throws IOException {
    Path file = path.resolve(RUN);
    if (Files.exists(file)) {
      run = read(file);
      requireEqual("experiment", run.path("experiment").asText(), experiment.name());
      requireEqualSettings(settings(run.path("settings")), experiment);
      if (seed.isPresent()) {
        requireEqual(SEED, run.path(SEED).asText(), seed.get().toString());
      }
      return;
    }
    run = JSON.createObjectNode();
    run.put("experiment", experiment.name());
    ObjectNode settings = run.putObject("settings");
    experiment.settings().forEach(settings::put);
    run.put(SEED, seed.orElseGet(() -> System.nanoTime() & Integer.MAX_VALUE));
    run.putArray("starts");
    write(file, run);
  }

  private static Map<String, String> settings(JsonNode node) {
    return JSON.convertValue(node, new TypeReference<LinkedHashMap<String, String>>() {});
  }

  private void requireEqualSettings(Map<String, String> stored, Experiment experiment)
      throws IOException {
    Map<String, String> wanted = experiment.settings();
    TreeSet<String> names = new TreeSet<>(stored.keySet());
    names.addAll(wanted.keySet());
    for (String name : names) {
      requireEqual(name + experiment.place(name), stored.get(name), wanted.get(name));
    }
  }

  private void requireEqual(String setting, String stored, String wanted) throws IOException {
    if (!Objects.equals(stored, wanted)) {
      throw new IOException(
          path
              + " holds results with other settings: "
              + setting
              + " is "
              + (stored == null ? "not set" : stored)
              + " there, and "
              + (wanted == null ? "not set" : wanted)
              + " now; choose another --out, or remove the directory to measure anew");
    }
  }

  /** Records that measuring starts or resumes. */
  void started(Map<String, String> machine) throws IOException {
    ObjectNode start = run.withArray("starts").addObject();
    start.put("time", Instant.now().toString());
    ObjectNode node = start.putObject("machine");
    machine.forEach(node::put);
    write(path.resolve(RUN), run);
  }

  /** The seed of the random order. */
  long seed() {
    return run.path(SEED).asLong();
  }

  /** What {@code run.json} holds: experiment, settings, seed, and each start with its machine. */
  JsonNode run() {
    return run;
  }

  Path path() {
    return path;
  }

  /** The results of those of the cells that have been measured, in the order given. */
  List<CellResult> results(List<Cell> cells) throws IOException {
    List<CellResult> results = new ArrayList<>();
    for (Cell cell : cells) {
      if (Files.exists(file(cell))) {
        results.add(new CellResult(cell, read(file(cell)).path("measured")));
      }
    }
    return results;
  }

  boolean isMeasured(Cell cell) {
    return Files.exists(file(cell));
  }

  /** Whether a cell has been measured and its validity gate, if it has one, held. */
  boolean isValid(Cell cell) throws IOException {
    return isMeasured(cell) && Gates.hold(read(file(cell)).path("measured"));
  }

  /** Stores the measurements of a cell. */
  void add(Cell cell, Instant start, double seconds, JsonNode measured) throws IOException {
    ObjectNode node = JSON.createObjectNode();
    node.put("cell", cell.id());
    ObjectNode factors = node.putObject("factors");
    cell.factors().forEach(factors::put);
    node.put("repetition", cell.repetition());
    node.put("start", start.toString());
    node.put("seconds", seconds);
    node.set("measured", measured);
    write(file(cell), node);
  }

  /** Everything stored about those of the cells that have been measured. */
  ArrayNode files(List<Cell> cells) throws IOException {
    ArrayNode all = JSON.createArrayNode();
    for (Cell cell : cells) {
      if (isMeasured(cell)) {
        all.add(read(file(cell)));
      }
    }
    return all;
  }

  /** Writes a file of the directory. */
  void write(String name, byte[] content) throws IOException {
    write(path.resolve(name), content);
  }

  private Path file(Cell cell) {
    return path.resolve(CELLS).resolve(cell.id() + ".json");
  }

  private static ObjectNode read(Path file) throws IOException {
    try {
      return (ObjectNode) JSON.readTree(file.toFile());
    } catch (JsonProcessingException | ClassCastException e) {
      throw new IOException(file + " is damaged: " + e.getMessage(), e);
    }
  }

  private static void write(Path file, JsonNode content) throws IOException {
    write(file, (JSON.writeValueAsString(content) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void write(Path file, byte[] content) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.write(part, content);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
