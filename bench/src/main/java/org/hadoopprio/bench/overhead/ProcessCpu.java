package org.hadoopprio.bench.overhead;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The CPU time of processes, see proc(5). */
public final class ProcessCpu {

  /** USER_HZ, the unit of /proc/PID/stat: 100 on every architecture Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  /** Counted from behind the command's name: utime is field 14, and the state is field 3. */
  private static final int UTIME = 11;

  private ProcessCpu() {}

  /** User and system time of all threads since the process's start, in seconds. */
  public static double seconds(long pid) throws IOException {
    return parse(
        Files.readString(
            Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1));
  }

  static double parse(String stat) {
    // The name stands in parentheses and may itself hold some, and spaces.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[UTIME + 1])) / TICKS_PER_SECOND;
  }
}
