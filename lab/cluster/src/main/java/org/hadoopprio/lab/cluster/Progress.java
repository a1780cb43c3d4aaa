// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.PrintStream;

/** Prints progress messages, each with the time since the start. Thread-safe. */
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
