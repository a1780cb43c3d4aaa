// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.disk.SystemCommand;

/** Sets all threads of a daemon to another I/O class until it is closed. */
final class IoNice implements Closeable {

  /** What a plan may set. */
  static final List<String> CLASSES = List.of("realtime", "best-effort", "idle");

  private static final String NONE = "none";

  private final Daemon daemon;
  private final String ioClass;

  IoNice(Daemon daemon, String ioClass) throws IOException {
    this.daemon = daemon;
    this.ioClass = ioClass;
    set(ioClass);
  }

  /** A prefix that makes a command run in a class. */
  static List<String> prefix(String ioClass) {
    return List.of("ionice", "--class", ioClass);
  }

  /** What was done, for people. */
  String command() {
    return "ionice --class "
        + ioClass
        + " --pid <all threads of the "
        + daemon.role().label()
        + ">";
  }

  private void set(String wanted) throws IOException {
    String[] threads = new File("/proc/" + daemon.pid().orElseThrow() + "/task").list();
    if (threads == null) {
      throw new IOException(daemon.name() + " is not running");
    }
    // Ignore threads that end meanwhile; new threads inherit the class of those that start them.
    List<String> line = new ArrayList<>(List.of("ionice", "--ignore", "--class", wanted, "--pid"));
    line.addAll(List.of(threads));
    SystemCommand.run(line.toArray(new String[0]));
  }

  @Override
  public void close() throws IOException {
    set(NONE);
  }
}
