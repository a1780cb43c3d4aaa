// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.log.HopTrace;

/**
 * The hops that the daemons of a cluster log while this is open. Turns the logger {@link
 * HopTrace#LOGGER} to DEBUG in each DataNode and RegionServer with the agent, and back.
 */
final class HopLog implements Closeable {

  /** A log line of the cluster's daemons: time, level, thread, logger, message. */
  private static final Pattern LINE =
      Pattern.compile(
          "(\\S+[ T]\\S+) DEBUG \\[(.*)] "
              + Pattern.quote(HopTrace.LOGGER)
              + ": hop=(\\S+) priority=(\\S+) (.*)");

  private final LocalCluster cluster;
  private final Map<Daemon, Long> starts = new LinkedHashMap<>();

  private HopLog(LocalCluster cluster) {
    this.cluster = cluster;
  }

  static HopLog open(LocalCluster cluster) throws IOException {
    HopLog log = new HopLog(cluster);
    // In the order requests pass them: hops of the same millisecond stay in it.
    for (Role role : List.of(Role.REGIONSERVER, Role.DATANODE)) {
      for (Daemon daemon : cluster.daemons(role)) {
        if (daemon.hasAgent()) {
          log.starts.put(daemon, Files.size(daemon.logFile()));
          cluster.setLogLevel(daemon, HopTrace.LOGGER, "DEBUG");
        }
      }
    }
    return log;
  }

  /** The hops logged since this was opened, in the order of time. */
  List<Hop> hops() throws IOException {
    List<Hop> hops = new ArrayList<>();
    for (Map.Entry<Daemon, Long> start : starts.entrySet()) {
      Daemon daemon = start.getKey();
      for (String line : tail(daemon, start.getValue())) {
        Matcher m = LINE.matcher(line);
        if (m.matches()) {
          // HBase's logs separate date and time by a T, Hadoop's by a blank.
          hops.add(
              new Hop(
                  m.group(1).replace('T', ' '),
                  m.group(3),
                  m.group(4),
                  daemon.name(),
                  m.group(2),
                  m.group(5)));
        }
      }
    }
    hops.sort(Comparator.comparing(Hop::time));
    return hops;
  }

  private static List<String> tail(Daemon daemon, long start) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(daemon.logFile().toFile(), "r")) {
      byte[] bytes = new byte[(int) (file.length() - start)];
      file.seek(start);
      file.readFully(bytes);
      return List.of(new String(bytes, StandardCharsets.UTF_8).split("\n"));
    }
  }

  @Override
  public void close() throws IOException {
    for (Daemon daemon : starts.keySet()) {
      cluster.setLogLevel(daemon, HopTrace.LOGGER, "INFO");
    }
  }
}
