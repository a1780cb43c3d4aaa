// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A running {@link ReadClient}. Not safe for use by several threads. */
final class ClientProcess implements Closeable {

  private static final long PATIENCE_S = 10;

  private final Process process;
  private final Path log;
  private final PrintStream commands;
  private final BufferedReader answers;

  private ClientProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts a client.
   *
   * @param log takes its standard error
   */
  static ClientProcess start(ProcessBuilder builder, Path log) throws IOException {
    return new ClientProcess(builder.redirectError(log.toFile()).start(), log);
  }

  long pid() {
    return process.pid();
  }

  /**
   * Has it read.
   *
   * @param command see {@link ReadClient}
   * @return how many reads it did
   */
  long read(String command) throws IOException {
    commands.println(command);
    String line = answers.readLine();
    while (line != null && !line.startsWith(ReadClient.MARK)) {
      line = answers.readLine();
    }
    if (line == null) {
      throw new IOException("a client ended unexpectedly; see " + log);
    }
    return Long.parseLong(line.substring(ReadClient.MARK.length()).strip());
  }

  @Override
  public void close() throws IOException {
    commands.close();
    try {
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a client to end");
    }
  }
}
