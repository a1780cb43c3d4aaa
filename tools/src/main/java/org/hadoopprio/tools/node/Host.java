// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of a host, mainly those of /proc and /sys, and the programs of hadoop-prio on it. Tests
 * replace the root directory with a captured tree. A file that does not exist or may not be read
 * yields an empty result. Immutable.
 */
public final class Host {

  /** The system property that names the directory of the installed package. */
  private static final String HOME_PROPERTY = "hprio.home";

  private static final String PACKAGE_HOME = "/opt/hadoop-prio";

  private final Path root;
  private final String home;

  private Host(Path root, String home) {
    this.root = root;
    this.home = home;
  }

  /** A host with the package where its Debian package puts it. */
  public Host(Path root) {
    this(root, PACKAGE_HOME);
  }

  /** The host that this process runs on. */
  public static Host here() {
    return new Host(Path.of("/"), System.getProperty(HOME_PROPERTY, PACKAGE_HOME));
  }

  /** How a program ended. Immutable. */
  public static final class Ended {

    private final int status;
    private final String output;
    private final String errors;

    private Ended(int status, String output, String errors) {
      this.status = status;
      this.output = output;
      this.errors = errors;
    }

    public boolean isSuccess() {
      return status == 0;
    }

    /** What it has written to its standard output. */
    public String output() {
      return output;
    }

    /** What it has written to its standard error, without white space at the ends. */
    public String errors() {
      return errors;
    }
  }

  /** The absolute path of a program of the package. */
  public String program(String name) {
    return home + "/bin/" + name;
  }

  /**
   * Runs a program and waits for it.
   *
   * @param limit how long it may take; after that it is killed
   * @param program its absolute path
   * @return empty if it cannot be started or did not end in time
   */
  public Optional<Ended> run(Duration limit, String program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(path(program).toString());
    command.addAll(List.of(arguments));
    try {
      Path output = Files.createTempFile("hprio", ".out");
      Path errors = Files.createTempFile("hprio", ".err");
      try {
        return run(limit, command, output, errors);
      } finally {
        Files.delete(output);
        Files.delete(errors);
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<Ended> run(Duration limit, List<String> command, Path output, Path errors)
      throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return Optional.of(
            new Ended(process.exitValue(), read(output).orElse(""), read(errors).orElse("")));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    return Optional.empty();
  }

  /** The location of an absolute path of the host. */
  public Path path(String absolute) {
    return root.resolve(absolute.substring(1));
  }

  /** A file's text without leading and trailing white space. */
  public Optional<String> read(String absolute) {
    return read(path(absolute));
  }

  public static Optional<String> read(Path file) {
    try {
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The names in a directory, sorted; empty if the directory does not exist. */
  public List<String> list(String absolute) {
    return list(path(absolute));
  }

  public static List<String> list(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(p -> p.getFileName().toString()).sorted().collect(Collectors.toList());
    } catch (IOException e) {
      return List.of();
    }
  }

  /** A path with its symbolic links resolved; the path itself if it does not exist. */
  public String real(String absolute) {
    try {
      return "/" + root.toRealPath().relativize(path(absolute).toRealPath());
    } catch (IOException e) {
      return absolute;
    }
  }
}
