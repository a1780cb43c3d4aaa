// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A process whose output goes line by line to a log file and to a listener. Thread-safe. */
public final class ChildProcess implements Closeable {

  private static final int LINES_IN_FAILURE = 15;
  private static final int SIGNAL_BASE = 128;
  private static final long READER_STOP_TIMEOUT_MS = 10_000;

  private final String name;
  private final Process process;
  private final Path log;
  private final Thread reader;

  private ChildProcess(String name, Process process, Path log, Consumer<String> listener) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.reader = new Thread(() -> follow(listener), name + "-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a process.
   *
   * @param name for messages
   * @param listener called with every line of standard output and standard error, by one thread
   */
  public static ChildProcess start(
      String name, ProcessBuilder builder, Path log, Consumer<String> listener) throws IOException {
    Files.createDirectories(log.getParent());
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    return new ChildProcess(name, process, log, listener);
  }

  private void follow(Consumer<String> listener) {
    try (BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(Files.newBufferedWriter(log), true)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println(line);
        listener.accept(line);
      }
    } catch (IOException e) {
      // The stream of a killed process ends like this; a full disk shows as the process's failure.
      process.destroy();
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits at most that long; returns whether the process has ended. */
  public boolean await(long milliseconds) throws InterruptedIOException {
    try {
      if (!process.waitFor(milliseconds, TimeUnit.MILLISECONDS)) {
        return false;
      }
      reader.join(READER_STOP_TIMEOUT_MS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for " + name);
    }
  }

  /**
   * Checks how the process has ended.
   *
   * @throws IOException if it failed, with the last lines of its output unless a signal ended it
   */
  public void requireSuccess() throws IOException {
    int code = process.exitValue();
    if (code > SIGNAL_BASE) {
      // Ended from outside, by Ctrl-C for one: its output has nothing to say about that.
      throw new IOException(name + " was ended by signal " + (code - SIGNAL_BASE));
    }
    if (code != 0) {
      throw failure("ended with " + code);
    }
  }

  /** A failure of this process, with the last lines of its output. */
  public IOException failure(String what) throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
    return new IOException(
        name
            + " "
            + what
            + "; the end of "
            + log
            + ":\n"
            + lines.stream()
                .skip(Math.max(0, lines.size() - LINES_IN_FAILURE))
                .collect(Collectors.joining("\n")));
  }

  /** Kills the process if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
