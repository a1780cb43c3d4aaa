package org.hadoopprio.lab.bench.overhead;

import java.io.IOException;

/** The CPU time of processes. */
final class ProcessCpu {

  private ProcessCpu() {}

  /**
   * User and system time of all threads since the process's start, in seconds.
   *
   * @throws IOException if there is no such process
   */
  static double seconds(long pid) throws IOException {
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().totalCpuDuration())
            .orElseThrow(() -> new IOException("there is no process " + pid))
            .toNanos()
        / 1e9;
  }
}
