// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Structure;
import java.io.IOException;

/**
 * The CPU time of processes by their clocks, which count nanoseconds (clock_getcpuclockid(3));
 * /proc counts in units of 10 ms. Thread-safe.
 */
final class ProcessCpu {

  private static final double NANOS = 1e9;

  /** The C library's. */
  interface Clocks extends Library {
    Clocks C = Native.load("c", Clocks.class);

    int clock_getcpuclockid(int pid, int[] clock);

    int clock_gettime(int clock, Timespec time);
  }

  /** struct timespec. */
  @Structure.FieldOrder({"seconds", "nanos"})
  public static final class Timespec extends Structure {
    public NativeLong seconds;
    public NativeLong nanos;
  }

  private ProcessCpu() {}

  /**
   * User and system time of all threads since the process's start, in seconds.
   *
   * @throws IOException if there is no such process
   */
  static double seconds(long pid) throws IOException {
    int[] clock = new int[1];
    Timespec time = new Timespec();
    if (Clocks.C.clock_getcpuclockid(Math.toIntExact(pid), clock) != 0
        || Clocks.C.clock_gettime(clock[0], time) != 0) {
      throw new IOException("there is no process " + pid);
    }
    return time.seconds.longValue() + time.nanos.longValue() / NANOS;
  }
}
