// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.hadoopprio.lab.disk.SystemCommand;

/** Runs a program that loads a disk for a known time, and looks at the disk meanwhile. */
final class TimedLoad {

  /** What the program lets pass before it measures, in seconds. */
  static final int RAMP_SECONDS = 1;

  /** The program starts within this time, and it ends no earlier than this before its time. */
  private static final long MARGIN_MS = 300;

  /** What is done at the ends of the time in which the load is known to run. */
  interface Window {
    void begin() throws IOException;

    void end() throws IOException;
  }

  private TimedLoad() {}

  /**
   * Runs the program to its end.
   *
   * @param seconds how long it measures, after the ramp
   * @return what it has printed
   * @throws IOException if it fails
   * @throws InterruptedIOException if the thread is interrupted; the program is killed
   */
  static String run(List<String> command, int seconds, Window window) throws IOException {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Future<String> output =
          executor.submit(() -> SystemCommand.run(command.toArray(new String[0])));
      await(output, RAMP_SECONDS * 1000L + MARGIN_MS);
      window.begin();
      await(output, seconds * 1000L - 2 * MARGIN_MS);
      window.end();
      return output.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + command.get(0) + " was running");
    } finally {
      executor.shutdownNow();
    }
  }

  /** Waits, unless the program fails before. */
  private static void await(Future<String> output, long milliseconds)
      throws InterruptedException, ExecutionException {
    try {
      output.get(milliseconds, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // It runs, as it should.
    }
  }
}
