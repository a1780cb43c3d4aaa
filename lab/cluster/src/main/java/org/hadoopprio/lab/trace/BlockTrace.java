// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.trace;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.hadoopprio.tools.trace.BlockTraceEvent;
import org.hadoopprio.tools.trace.BlockTraceInstance;
import org.hadoopprio.tools.trace.BlockTraceUnavailableException;
import org.hadoopprio.tools.trace.DeviceNumber;

/**
 * Records the requests that the block layer issues to some devices, with their priorities. Needs
 * root and Linux 6.11 or later. Safe for use by several threads.
 *
 * <p>Always close it: it holds a tracing instance of the kernel. An instance that is not closed is
 * removed when the process ends, or, after a killed process, when the next trace starts.
 */
public final class BlockTrace implements Closeable {

  private static final int BUFFER_KB_PER_CPU = 8192;
  private static final long READER_TIMEOUT_S = 30;
  private static final String END_MARK = "hprio-end-of-trace";

  private final BlockTraceInstance instance;
  private final Consumer<BlockTraceEvent> listener;
  private final BlockTraceSummary.Collector collector = new BlockTraceSummary.Collector();
  private final CompletableFuture<Void> reader = new CompletableFuture<>();
  private final Thread closeAtExit;
  private boolean closed;
  private BlockTraceSummary result;

  private BlockTrace(BlockTraceInstance instance, Consumer<BlockTraceEvent> listener) {
    this.instance = instance;
    this.listener = listener;
    this.closeAtExit = new Thread(this::closeQuietly, "block-trace-close");
  }

  /**
   * Starts recording.
   *
   * @param devices whole disks, one at least
   * @throws BlockTraceUnavailableException if this machine, or a user without the rights, cannot
   */
  public static BlockTrace start(Collection<DeviceNumber> devices) throws IOException {
    return start(devices, event -> {});
  }

  /**
   * Starts recording and passes every event to a listener.
   *
   * @param devices whole disks, one at least
   * @param listener called by one thread, in the order of time; slow listeners lose events
   * @throws BlockTraceUnavailableException if this machine, or a user without the rights, cannot
   */
  public static BlockTrace start(
      Collection<DeviceNumber> devices, Consumer<BlockTraceEvent> listener) throws IOException {
    return start(devices, listener, BUFFER_KB_PER_CPU, false);
  }

  /** The same with the events of the requests' completion, which only the listener learns. */
  public static BlockTrace startWithCompletions(
      Collection<DeviceNumber> devices, Consumer<BlockTraceEvent> listener) throws IOException {
    return start(devices, listener, BUFFER_KB_PER_CPU, true);
  }

  static BlockTrace start(
      Collection<DeviceNumber> devices,
      Consumer<BlockTraceEvent> listener,
      int bufferKbPerCpu,
      boolean completions)
      throws IOException {
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("no device to trace");
    }
    BlockTraceInstance instance = BlockTraceInstance.create();
    try {
      if (!BlockTraceInstance.showsPriorities()) {
        throw new BlockTraceUnavailableException(
            "cannot trace block requests' priorities: the event block:block_rq_issue of kernel "
                + System.getProperty("os.version")
                + " does not carry them (Linux 6.11 and later do)");
      }
      if (completions) {
        instance.addCompletions(devices);
      }
      instance.start(devices, bufferKbPerCpu);
    } catch (IOException e) {
      instance.close();
      throw e;
    }
    BlockTrace trace = new BlockTrace(instance, listener);
    trace.startReader();
    Runtime.getRuntime().addShutdownHook(trace.closeAtExit);
    return trace;
  }

  /** Removes the tracing instances that killed processes left; harmless where there are none. */
  public static void removeLeftovers() throws IOException {
    BlockTraceInstance.removeLeftovers();
  }

  private void startReader() {
    Thread thread = new Thread(this::readAll, "block-trace-reader");
    thread.setDaemon(true);
    thread.start();
  }

  private void readAll() {
    try (BufferedReader pipe =
        Files.newBufferedReader(instance.pipe(), StandardCharsets.ISO_8859_1)) {
      String line;
      while ((line = pipe.readLine()) != null && !line.endsWith(END_MARK)) {
        BlockTraceEvent.parse(line).ifPresent(this::take);
      }
    } catch (IOException | RuntimeException e) {
      reader.completeExceptionally(e);
    } finally {
      reader.complete(null);
    }
  }

  private void take(BlockTraceEvent event) {
    if (!event.isCompletion()) {
      synchronized (collector) {
        collector.add(event);
      }
    }
    listener.accept(event);
  }

  /** What was recorded so far, without stopping. Events of the last moment may not be in it. */
  public synchronized BlockTraceSummary soFar() throws IOException {
    if (result != null) {
      return result;
    }
    long lost = instance.lostEvents();
    synchronized (collector) {
      return collector.summary(lost);
    }
  }

  /**
   * Stops, waits until every recorded event was read, and removes the tracing instance. A second
   * call gives the same summary.
   */
  public synchronized BlockTraceSummary stop() throws IOException {
    if (result != null) {
      return result;
    }
    if (closed) {
      throw new IOException("the block trace has failed before");
    }
    closed = true;
    try {
      instance.stop();
      // An empty pipe blocks for ever; this line tells the reader that it has everything.
      instance.mark(END_MARK);
      awaitReader();
      result = soFar();
      return result;
    } finally {
      instance.close();
      removeExitHook();
    }
  }

  private void awaitReader() throws IOException {
    try {
      reader.get(READER_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the block trace was being read", e);
    } catch (ExecutionException e) {
      throw new IOException("reading the block trace failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "the block trace was not read to its end in " + READER_TIMEOUT_S + " s", e);
    }
  }

  private void removeExitHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(closeAtExit);
    } catch (IllegalStateException e) {
      // The process is ending: this is the hook.
      return;
    }
  }

  private void closeQuietly() {
    try {
      close();
    } catch (IOException e) {
      throw new UncheckedIOException("a tracing instance is left", e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      stop();
    }
  }
}
