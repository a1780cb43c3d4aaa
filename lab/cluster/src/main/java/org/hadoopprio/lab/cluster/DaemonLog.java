// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What of a daemon's log tells why it ended. */
final class DaemonLog {

  private static final int LAST_LINES = 25;

  /** In the line of a RegionServer or Master that gives up; the exception is in the next one. */
  private static final String ABORTING = "***** ABORTING ";

  private DaemonLog() {}

  /**
   * The end of the log and of the output, without the frames of stack traces. Before it stands what
   * a daemon of HBase said when it aborted: its threads then log failures of their own by hundreds.
   */
  static List<String> end(Path log, Path output) throws IOException {
    List<String> logged = lines(log);
    List<String> end = new ArrayList<>();
    // The last time: the log goes on over several starts.
    for (int i = logged.size() - 1; i >= 0 && end.isEmpty(); i--) {
      if (logged.get(i).contains(ABORTING)) {
        end.addAll(logged.subList(i, Math.min(i + 2, logged.size())));
      }
    }
    end.addAll(last(logged));
    end.addAll(last(lines(output)));
    return end;
  }

  private static List<String> last(List<String> lines) {
    return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
  }

  private static List<String> lines(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("\tat ") && !line.startsWith("\t\tat "))
        .collect(Collectors.toList());
  }
}
