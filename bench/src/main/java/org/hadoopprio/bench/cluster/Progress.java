package org.hadoopprio.bench.cluster;

import java.io.PrintStream;

/** Tells people what is going on, each line with the time since the start. Thread-safe. */
public final class Progress {

  private final PrintStream out;
  private final long start = System.nanoTime();

  /** Writes to a stream, such as {@link System#err}. */
  public Progress(PrintStream out) {
    this.out = out;
  }

  /** Writes nothing. */
  public static Progress silent() {
    return new Progress(new PrintStream(PrintStream.nullOutputStream(), false));
  }

  /** Writes one line. */
  public void say(String message) {
    out.printf("[%6.1f s] %s%n", (System.nanoTime() - start) / 1e9, message);
  }
}
