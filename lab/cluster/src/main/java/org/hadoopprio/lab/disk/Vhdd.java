// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * One virtual hard disk, handled through the {@code vhdd} program. Thread-safe.
 *
 * <p>What its JSON holds is in the program's own documentation, {@code lab/vhdd/README.md}.
 */
public final class Vhdd {

  /** Below the directory that the system property {@code hprio.home} names. */
  private static final String PROGRAM = "lab/vhdd/target/cmake/vhdd";

  private static final int NAME_DIGITS = 8;

  private final String name;

  /** The disk of a name, whether it exists or not. */
  public Vhdd(String name) {
    this.name = name;
  }

  /**
   * The disk that belongs to a directory, whether it exists or not. Another process finds the same
   * disk by the directory's path alone.
   */
  public static Vhdd of(Path directory) {
    byte[] path =
        directory.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
    String digits = UUID.nameUUIDFromBytes(path).toString().substring(0, NAME_DIGITS);
    return new Vhdd("hprio-" + digits);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Why there can be no virtual disk on this machine; empty where there can. */
  public static Optional<String> unavailable() {
    if (!Privileges.isRoot()) {
      return Optional.of("not root");
    }
    for (String needed :
        List.of(
            "/dev/fuse", "/dev/loop-control", "/sys/kernel/btf/vmlinux", program().toString())) {
      if (!Files.exists(Path.of(needed))) {
        return Optional.of("no " + needed);
      }
    }
    return Optional.empty();
  }

  /** The program's file. */
  public static Path program() {
    return Path.of(System.getProperty("hprio.home", ".")).resolve(PROGRAM);
  }

  /**
   * Makes the disk.
   *
   * @param bytes its size; what is written to it stays in memory. It may be more than memory holds;
   *     writes fail when memory runs short
   * @param settings model parameters, such as {@code mode=prio}
   * @return the block device
   */
  public Path create(long bytes, String preset, ReadAhead readAhead, Map<String, String> settings)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--json", "--sparse"));
    arguments.add("--size=" + bytes);
    arguments.add("--preset=" + preset);
    arguments.add("--read-ahead=" + readAhead.kib());
    settings.forEach((key, value) -> arguments.add(key + "=" + value));
    return Path.of(json("create", arguments).path("device").asText());
  }

  /** Changes model parameters of the running disk. */
  public void set(Map<String, String> settings) throws IOException {
    List<String> arguments = new ArrayList<>();
    settings.forEach((key, value) -> arguments.add(key + "=" + value));
    run("set", arguments);
  }

  /** Switches loading on or off: while it is on, requests are answered without delay. */
  public void loading(boolean on) throws IOException {
    run("load", List.of(on ? "on" : "off"));
  }

  /** Its counters since it was created or they were reset. */
  public JsonNode stats() throws IOException {
    return json("stats", List.of("--json"));
  }

  /** Sets its counters to 0. */
  public void resetStats() throws IOException {
    run("stats", List.of("--reset"));
  }

  /** The block device of the running disk; empty when there is no such disk. */
  public Optional<Path> device() throws IOException {
    String listed = SystemCommand.run(program().toString(), "list", "--json");
    for (JsonNode disk : new ObjectMapper().readTree(listed)) {
      if (disk.path("name").asText().equals(name)) {
        return Optional.of(Path.of(disk.path("device").asText()));
      }
    }
    return Optional.empty();
  }

  /** The kernel's queue of the running disk. */
  public RequestQueue queue() throws IOException {
    Path device = device().orElseThrow(() -> new IOException("there is no virtual disk " + name));
    return new RequestQueue(Path.of("/sys/block", device.getFileName().toString(), "queue"));
  }

  /** Runs the model in virtual time with the options of {@code vhdd sim}. */
  public static JsonNode sim(List<String> options) throws IOException {
    return inVirtualTime("sim", options);
  }

  /** The model beside published measurements, with the options of {@code vhdd calibrate}. */
  public static JsonNode calibrate(List<String> options) throws IOException {
    return inVirtualTime("calibrate", options);
  }

  private static JsonNode inVirtualTime(String command, List<String> options) throws IOException {
    List<String> line = new ArrayList<>(List.of(program().toString(), command, "--json"));
    line.addAll(options);
    return new ObjectMapper().readTree(SystemCommand.run(line.toArray(new String[0])));
  }

  /** Removes the disk with its data; does nothing when there is none. */
  public void destroy() throws IOException {
    run("destroy", List.of("--force"));
  }

  private JsonNode json(String command, List<String> arguments) throws IOException {
    return new ObjectMapper().readTree(run(command, arguments));
  }

  private String run(String command, List<String> arguments) throws IOException {
    List<String> line = new ArrayList<>(List.of(program().toString(), command, name));
    line.addAll(arguments);
    return SystemCommand.run(line.toArray(new String[0]));
  }
}
