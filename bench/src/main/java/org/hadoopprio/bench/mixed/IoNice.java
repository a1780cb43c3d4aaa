package org.hadoopprio.bench.mixed;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.bench.cluster.Daemon;
import org.hadoopprio.bench.disk.SystemCommand;

/** A daemon, all threads of it, at another I/O class as long as this is open. */
final class IoNice implements Closeable {

  /** Put before a command, it runs at idle. */
  static final List<String> IDLE_PREFIX = List.of("ionice", "--class", "idle");

  private static final String NONE = "none";

  private final Daemon daemon;
  private final String ioClass;

  private IoNice(Daemon daemon, String ioClass) throws IOException {
    this.daemon = daemon;
    this.ioClass = ioClass;
    set(ioClass);
  }

  /** Sets a daemon to real-time. */
  static IoNice realtime(Daemon daemon) throws IOException {
    return new IoNice(daemon, "realtime");
  }

  /** Sets a daemon to idle; the processes it starts are idle too. */
  static IoNice idle(Daemon daemon) throws IOException {
    return new IoNice(daemon, "idle");
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
      throw new IOException(daemon.name() + " does not run");
    }
    // Threads that have ended meanwhile are ignored; new ones inherit from those that start them.
    List<String> line = new ArrayList<>(List.of("ionice", "--ignore", "--class", wanted, "--pid"));
    line.addAll(List.of(threads));
    SystemCommand.run(line.toArray(new String[0]));
  }

  @Override
  public void close() throws IOException {
    set(NONE);
  }
}
