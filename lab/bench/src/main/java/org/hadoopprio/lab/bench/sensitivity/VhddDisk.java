// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.simulation.SimulatedDisk;

/**
 * The drive model of {@code vhdd} below the kernel's I/O scheduler as {@code vhdd sim} has it. A
 * process of its own, which {@code vhdd sim --requests} describes. For one thread.
 */
final class VhddDisk implements SimulatedDisk, Closeable {

  private final Process process;
  private final BufferedWriter toDrive;
  private final BufferedReader fromDrive;
  private final long bytes;
  private final Map<Long, Request> atDisk = new HashMap<>();
  private long numbers;
  private long now;

  /**
   * Starts a drive on which nothing is being read.
   *
   * @param command the program and its arguments
   * @param bytes the drive's size, as the arguments have it
   */
  VhddDisk(List<String> command, long bytes) throws IOException {
    this.process = new ProcessBuilder(command).start();
    this.toDrive =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII));
    this.fromDrive =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    this.bytes = bytes;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public void read(Request request) {
    long number = numbers++;
    atDisk.put(number, request);
    write(
        "r "
            + number
            + " "
            + request.offset()
            + " "
            + request.bytes()
            + " "
            + priority(request.diskClass()));
  }

  /** As the kernel has it of the reading thread; of levels it heeds none. */
  private static String priority(DiskClass diskClass) {
    return switch (diskClass) {
      case REALTIME -> "rt:0";
      case BEST_EFFORT -> "none";
      case IDLE -> "idle";
    };
  }

  @Override
  public Optional<Request> run(long until) {
    write("t " + until);
    String answer = answer();
    int first = answer.indexOf(' ');
    int last = answer.lastIndexOf(' ');
    now = Long.parseLong(answer.substring(last + 1));
    return answer.startsWith("a")
        ? Optional.of(atDisk.remove(Long.parseLong(answer.substring(first + 1, last))))
        : Optional.empty();
  }

  private String answer() {
    try {
      toDrive.flush();
      String line = fromDrive.readLine();
      if (line == null) {
        throw new IOException("it has ended");
      }
      return line;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void write(String line) {
    try {
      toDrive.write(line);
      toDrive.write('\n');
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private UncheckedIOException failure(IOException cause) {
    String reason;
    try {
      reason = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      reason = e.getMessage();
    }
    return new UncheckedIOException(
        "the drive in virtual time: " + cause.getMessage() + "; " + reason, cause);
  }

  /** Ends the process. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
