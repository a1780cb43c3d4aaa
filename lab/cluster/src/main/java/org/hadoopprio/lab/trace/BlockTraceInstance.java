// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.trace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopprio.lab.disk.Privileges;
import org.hadoopprio.lab.disk.SystemCommand;

/**
 * A tracing instance of our own in tracefs: its buffers and settings disturb no other user of
 * tracing. Its name carries this process's id, so that a later process can remove what a killed one
 * left.
 */
final class BlockTraceInstance implements Closeable {

  private static final Path TRACEFS = Path.of("/sys/kernel/tracing");
  private static final String EVENT = "events/block/block_rq_issue";
  private static final Pattern NAME = Pattern.compile("hprio-(\\d+)-\\d+");
  private static final Pattern LOST = Pattern.compile("(?:overrun|dropped events): (\\d+)");
  private static final AtomicInteger COUNTER = new AtomicInteger();

  private final Path directory;

  private BlockTraceInstance(Path directory) {
    this.directory = directory;
  }

  /** Makes an instance, after removing those of dead processes. */
  static BlockTraceInstance create() throws IOException {
    findTracefs();
    removeLeftovers();
    Path directory =
        instances()
            .resolve("hprio-" + ProcessHandle.current().pid() + "-" + COUNTER.incrementAndGet());
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      throw new BlockTraceUnavailableException(
          "cannot trace block requests: the kernel makes no tracing instance in " + instances(), e);
    }
    return new BlockTraceInstance(directory);
  }

  private static Path instances() {
    return TRACEFS.resolve("instances");
  }

  private static void findTracefs() throws IOException {
    if (!Privileges.isRoot()) {
      throw new BlockTraceUnavailableException(
          "cannot trace block requests: " + TRACEFS + " (tracefs) is for root only");
    }
    if (!Files.isDirectory(TRACEFS)) {
      throw new BlockTraceUnavailableException(
          "cannot trace block requests: no " + TRACEFS + ", the kernel has no tracefs");
    }
    if (!Files.isDirectory(instances())) {
      try {
        SystemCommand.run("mount", "-t", "tracefs", "tracefs", TRACEFS.toString());
      } catch (IOException e) {
        throw new BlockTraceUnavailableException(
            "cannot trace block requests: tracefs is not mounted and cannot be: " + e.getMessage(),
            e);
      }
    }
    checkEvent();
  }

  private static void checkEvent() throws IOException {
    String format;
    try {
      format = Files.readString(TRACEFS.resolve(EVENT).resolve("format"));
    } catch (NoSuchFileException e) {
      throw new BlockTraceUnavailableException(
          "cannot trace block requests: the kernel has no event block:block_rq_issue"
              + " (CONFIG_BLK_DEV_IO_TRACE)",
          e);
    }
    if (!format.contains("ioprio")) {
      throw new BlockTraceUnavailableException(
          "cannot trace block requests' priorities: the event block:block_rq_issue of kernel "
              + System.getProperty("os.version")
              + " does not carry them (Linux 6.11 and later do)");
    }
  }

  /** Removes the instances of processes that are gone. */
  static void removeLeftovers() throws IOException {
    if (!Files.isReadable(instances())) {
      return;
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(instances())) {
      for (Path instance : found) {
        Matcher name = NAME.matcher(instance.getFileName().toString());
        if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
          Files.deleteIfExists(instance);
        }
      }
    }
  }

  /**
   * Starts recording requests.
   *
   * @param filter what to record, in the kernel's filter syntax
   * @param bufferKbPerCpu room for events that were not read yet
   */
  void start(String filter, int bufferKbPerCpu) throws IOException {
    write("buffer_size_kb", Integer.toString(bufferKbPerCpu));
    write(EVENT + "/filter", filter);
    write(EVENT + "/enable", "1");
    write("tracing_on", "1");
  }

  /** Stops recording; what is in the buffer can still be read. */
  void stop() throws IOException {
    write(EVENT + "/enable", "0");
  }

  /** Adds a line with a text to the trace. */
  void mark(String text) throws IOException {
    write("trace_marker", text);
  }

  /** The file that gives each line once and blocks when there is none. */
  Path pipe() {
    return directory.resolve("trace_pipe");
  }

  /** How many events were lost since the start because they were not read fast enough. */
  long lostEvents() throws IOException {
    long lost = 0;
    try (DirectoryStream<Path> cpus =
        Files.newDirectoryStream(directory.resolve("per_cpu"), "cpu*")) {
      for (Path cpu : cpus) {
        for (String line : Files.readAllLines(cpu.resolve("stats"))) {
          Matcher matcher = LOST.matcher(line);
          lost += matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
        }
      }
    }
    return lost;
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(directory.resolve(file), text);
  }

  /** Removes the instance; nobody may have its files open. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(directory);
  }
}
