// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.trace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A tracing instance of our own in tracefs: its buffers and settings disturb no other user of
 * tracing. Its name carries this process's id, so that a later process can remove what a killed one
 * left. Needs root. Not safe for use by several threads.
 */
public final class BlockTraceInstance implements Closeable {

  private static final Path TRACEFS = Path.of("/sys/kernel/tracing");
  private static final String EVENT = "events/block/block_rq_issue";
  private static final String COMPLETION = "events/block/block_rq_complete";
  private static final Pattern NAME = Pattern.compile("hprio-(\\d+)-\\d+");
  private static final Pattern LOST =
      Pattern.compile("(?:(?:commit )?overrun|dropped events): (\\d+)");
  private static final AtomicInteger COUNTER = new AtomicInteger();

  /** How often a process that ends tries to remove its instance, which a reader may hold. */
  private static final int TRIES = 10;

  private final Path directory;

  /** Nothing closes what a signal ends, such as Ctrl-C. */
  private final Thread atExit = new Thread(this::removeAtExit, "tracing-instance");

  private BlockTraceInstance(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes an instance, after removing those of dead processes.
   *
   * @throws BlockTraceUnavailableException if this machine, or a user without the rights, cannot
   */
  public static BlockTraceInstance create() throws IOException {
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
    BlockTraceInstance made = new BlockTraceInstance(directory);
    Runtime.getRuntime().addShutdownHook(made.atExit);
    return made;
  }

  private static Path instances() {
    return TRACEFS.resolve("instances");
  }

  private static void findTracefs() throws IOException {
    if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
      throw new BlockTraceUnavailableException(
          "cannot trace block requests: " + TRACEFS + " (tracefs) is for root only");
    }
    if (!Files.isDirectory(TRACEFS)) {
      throw new BlockTraceUnavailableException(
          "cannot trace block requests: no " + TRACEFS + ", the kernel has no tracefs");
    }
    if (!Files.isDirectory(instances())) {
      mount();
    }
    if (!Files.exists(format())) {
      throw new BlockTraceUnavailableException(
          "cannot trace block requests: the kernel has no event block:block_rq_issue"
              + " (CONFIG_BLK_DEV_IO_TRACE)");
    }
  }

  /** As perf and others do where the system has not. */
  private static void mount() throws IOException {
    Process mount =
        new ProcessBuilder("mount", "-t", "tracefs", "tracefs", TRACEFS.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!Files.isDirectory(instances())) {
      throw new BlockTraceUnavailableException(
          "cannot trace block requests: tracefs is not mounted and cannot be: " + said.strip());
    }
  }

  private static Path format() {
    return TRACEFS.resolve(EVENT).resolve("format");
  }

  /**
   * Whether this kernel's events have the priority of the request: those of Linux 6.11 and later
   * do. There must have been an instance.
   */
  public static boolean showsPriorities() throws IOException {
    return Files.readString(format()).contains("ioprio");
  }

  /** Removes the instances of processes that are gone. */
  public static void removeLeftovers() throws IOException {
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
   * @param devices whole disks, one at least
   * @param bufferKbPerCpu room for events that were not read yet
   */
  public void start(Collection<DeviceNumber> devices, int bufferKbPerCpu) throws IOException {
    // The clock of System.nanoTime: what a process has noted can be compared with the trace.
    write("trace_clock", "mono");
    write("buffer_size_kb", Integer.toString(bufferKbPerCpu));
    write(EVENT + "/filter", filter(devices));
    write(EVENT + "/enable", "1");
    write("tracing_on", "1");
  }

  /** Records when devices complete requests, too; before the start. */
  public void addCompletions(Collection<DeviceNumber> devices) throws IOException {
    write(COMPLETION + "/filter", filter(devices));
    write(COMPLETION + "/enable", "1");
  }

  private static String filter(Collection<DeviceNumber> devices) {
    return devices.stream()
        .map(device -> "dev == " + device.kernelValue())
        .collect(Collectors.joining(" || "));
  }

  /** Stops recording; what is in the buffer can still be read. */
  public void stop() throws IOException {
    write(EVENT + "/enable", "0");
    write(COMPLETION + "/enable", "0");
  }

  /** Adds a line with a text to the trace. */
  public void mark(String text) throws IOException {
    write("trace_marker", text);
  }

  /** What the buffer has now; it stays there. */
  public List<BlockTraceEvent> recorded() throws IOException {
    try (Stream<String> lines =
        Files.lines(directory.resolve("trace"), StandardCharsets.ISO_8859_1)) {
      return lines
          .map(BlockTraceEvent::parse)
          .flatMap(Optional::stream)
          .collect(Collectors.toList());
    }
  }

  /** The file that gives each line once and blocks when there is none. */
  public Path pipe() {
    return directory.resolve("trace_pipe");
  }

  /** How many events were lost since the start because they were not read fast enough. */
  public long lostEvents() throws IOException {
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
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The process ends; then the hook finds nothing.
    }
  }

  private void removeAtExit() {
    for (int i = 0; i < TRIES; i++) {
      try {
        Files.deleteIfExists(directory);
        return;
      } catch (IOException e) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }
}
