// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.off;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.log.RateLimitedLog;
import org.slf4j.LoggerFactory;

/**
 * The file that switches off every agent of a host while it is there: all of it if the file is
 * empty, otherwise the modules that it names. What cannot be understood switches all off.
 * Thread-safe.
 */
public final class FlagFile {

  /** The system property that names another file. */
  public static final String PROPERTY = "org.hadoopprio.off.file";

  /** The file if the property is not set. */
  public static final String DEFAULT = "/etc/hadoop-prio/off";

  /** More than all names of modules. */
  private static final int MOST_BYTES = 4096;

  private static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private static boolean watched;

  private final Path path;
  private final long lookMillis;
  private final RateLimitedLog failures =
      new RateLimitedLog(LoggerFactory.getLogger(FlagFile.class));

  FlagFile(Path path, long lookMillis) {
    this.path = path;
    this.lookMillis = lookMillis;
  }

  /**
   * Looks for the process's file now, and from now on every second on a thread of its own. A second
   * call does nothing.
   */
  public static synchronized void watch() {
    if (watched) {
      return;
    }
    FlagFile file = new FlagFile(Path.of(System.getProperty(PROPERTY, DEFAULT)), LOOK_MILLIS);
    file.look();
    Thread thread = new Thread(file::lookForEver, "hadoop-prio off switch");
    thread.setDaemon(true);
    thread.start();
    watched = true;
  }

  void lookForEver() {
    try {
      while (true) {
        Thread.sleep(lookMillis);
        lookAgain();
      }
    } catch (InterruptedException e) {
      LoggerFactory.getLogger(FlagFile.class).error("Nobody looks for {} any more", path);
    }
  }

  /** Looks, or leaves all as it is until the next time: a daemon may survive a lack of memory. */
  private void lookAgain() {
    try {
      look();
    } catch (RuntimeException | Error e) {
      failures.warn(() -> "No look for " + path + " this time: " + e);
    }
  }

  /** Switches off what the file says now. */
  void look() {
    Set<AgentModule> modules;
    String why;
    try {
      String names = names();
      modules = names == null ? Set.of() : AgentModule.parse(names);
      why = "the file " + path + (modules.isEmpty() ? " is there" : " names them");
      if (names != null && modules.isEmpty()) {
        modules = AgentModule.ALL;
      }
    } catch (IllegalArgumentException e) {
      modules = AgentModule.ALL;
      why = "the file " + path + " is there, but not as it should be: " + e.getMessage();
    } catch (IOException | RuntimeException e) {
      modules = AgentModule.ALL;
      why = "it cannot be told whether the file " + path + " is there: " + e;
    }
    OffSwitch.set(path.toString(), modules, why);
  }

  /** What is in the file; null if it is not there. */
  private String names() throws IOException {
    if (Files.notExists(path)) {
      return null;
    }
    try (InputStream in = Files.newInputStream(path)) {
      return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
