// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.disktime.SlowReads;
import org.hadoopprio.tools.node.DaemonPages;
import org.hadoopprio.tools.node.DataNodeVolumes;
import org.hadoopprio.tools.node.InstalledVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio top}. */
@Command(
    name = "top",
    description = {
      "Shows who has the disks of a DataNode: for each volume the time that real-time, best-effort"
          + " and idle requests used of the last interval, and who waits. Ctrl-C ends it.",
      "Requests are reads, writes that take turns, and short-circuit reads that ask; those without"
          + " a priority count as best-effort. What does not pass through the DataNode is not in it;"
          + " free%% is the time in which no such request was at the disk. Volumes in mode order,"
          + " observe or off have no figures.",
      "wait: requests that wait now. waits/s, mean ms: waits that ended in the interval, and their"
          + " length. share: real-time's limit while others wait.",
      "The exit status is 1 if the DataNode does not answer or has no agent, and 2 for invalid"
          + " input."
    },
    mixinStandardHelpOptions = true,
    versionProvider = InstalledVersion.class)
public final class TopCommand implements Callable<Integer> {

  private static final int MAX_SECONDS = 3600;

  /** Moves the cursor to the top left and clears the screen (ECMA-48). */
  private static final String CLEAR = "\033[H\033[2J";

  @Spec private CommandSpec spec;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "localhost:9864",
      description =
          "The address of the DataNode's web pages, https://HOST:PORT for HTTPS; by default"
              + " ${DEFAULT-VALUE}.")
  private String http;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "1",
      description = "The interval, 1 to 3600 seconds; by default ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Ends after N intervals; by default it goes on.")
  private Integer count;

  @Option(
      names = "--tenants",
      description =
          "Below each volume a line for each tenant of the policy: its part of the disk, and which"
              + " class of which tenant had the disk while its requests waited.")
  private boolean tenants;

  @Option(
      names = "--slow",
      arity = "0..1",
      paramLabel = "N",
      fallbackValue = "10",
      description =
          "Below each volume its last N slow reads, 1 to 100, by default 10: when the wait ended,"
              + " tenant, priority, and who had the disk meanwhile. Slow is what waited for longer"
              + " than dfs.datanode.io.priority.scheduler.slow.ms.")
  private Integer slow;

  @Option(names = "--json", description = "Prints one line of JSON for each interval.")
  private boolean json;

  /** Runs the command alone, as a node's {@code hprio} does. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new TopCommand()).execute(arguments));
  }

  @Override
  public Integer call() {
    require(seconds >= 1 && seconds <= MAX_SECONDS, "--seconds", seconds, "1 to " + MAX_SECONDS);
    require(count == null || count >= 1, "--count", count, "1 or more");
    require(slow == null || (slow >= 1 && slow <= SlowReads.MOST), "--slow", slow, "1 to 100");
    DaemonPages pages;
    try {
      pages = new DaemonPages(http);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--http: " + e.getMessage(), e);
    }
    try {
      watch(pages);
      return CommandLine.ExitCode.OK;
    } catch (IOException e) {
      spec.commandLine().getErr().println("hprio top: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CommandLine.ExitCode.OK;
    }
  }

  private void require(boolean allowed, String option, Object value, String what) {
    if (!allowed) {
      throw new ParameterException(
          spec.commandLine(), option + " = " + value + ": allowed: " + what);
    }
  }

  private void watch(DaemonPages pages) throws IOException, InterruptedException {
    boolean clear = !json && isTerminal();
    JsonNode before = DataNodeVolumes.read(pages);
    long begun = System.nanoTime();
    for (int shown = 0; count == null || shown < count; shown++) {
      TimeUnit.SECONDS.sleep(seconds);
      JsonNode after = DataNodeVolumes.read(pages);
      long now = System.nanoTime();
      DiskTop top = new DiskTop(before, after, Instant.now(), (now - begun) / 1e9);
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        out.println(top.toJson());
      } else {
        out.print(clear ? CLEAR : shown == 0 ? "" : System.lineSeparator());
        out.println(top.toText(pages.toString(), tenants, slow == null ? 0 : slow));
      }
      if (out.checkError()) {
        // Nobody reads any more.
        return;
      }
      before = after;
      begun = now;
    }
  }

  /**
   * Whether the output goes to a terminal. System.console also asks for the input, which may come
   * from elsewhere, and from Java 22 on it is never null.
   */
  private static boolean isTerminal() {
    try {
      String out = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return out.startsWith("/dev/pts/")
          || out.startsWith("/dev/tty")
          || out.equals("/dev/console");
    } catch (IOException e) {
      return false;
    }
  }
}
