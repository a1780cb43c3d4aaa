// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.DiskKind;

/** Two DataNodes, one with the agent, which are restarted. Not safe for use by several threads. */
final class DataNodeStarts implements Closeable {

  private static final String STOCK = "datanode-1";
  private static final String AGENT = "datanode-2";
  private static final String REGISTERED = "successfully registered with NN";
  private static final DateTimeFormatter LOG_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final int LOG_TIME_LENGTH = 23;

  private final LocalCluster cluster;

  private DataNodeStarts(LocalCluster cluster) {
    this.cluster = cluster;
  }

  static DataNodeStarts start(Path directory) throws IOException {
    return new DataNodeStarts(
        LocalCluster.builder(directory)
            .stopAtExit(true)
            .progress(Progress.silent())
            .disk(DiskKind.DIR)
            .hbase(false)
            .yarn(false)
            .dataNodes(2)
            .configure(STOCK, options -> options.agent(false))
            .start());
  }

  /** Restarts one; it has started when the NameNode has registered it. */
  StartUp restart(boolean agent) throws IOException {
    Daemon dataNode = cluster.daemon(agent ? AGENT : STOCK);
    if (dataNode.role() != Role.DATANODE || dataNode.hasAgent() != agent) {
      throw new IOException(dataNode.name() + " is not the DataNode that it should be");
    }
    cluster.stop(dataNode);
    long lines = logLines(dataNode).size();
    long before = System.currentTimeMillis();
    cluster.start(dataNode);
    double cpu =
        ProcessCpu.seconds(
            dataNode.pid().orElseThrow(() -> new IOException(dataNode.name() + " does not run")));
    // The log has the exact moment; the cluster polls only four times a second.
    return new StartUp((registered(dataNode, lines) - before) / 1e3, cpu);
  }

  private static long registered(Daemon dataNode, long skippedLines) throws IOException {
    String line =
        logLines(dataNode).stream()
            .skip(skippedLines)
            .filter(l -> l.contains(REGISTERED))
            .findFirst()
            .orElseThrow(
                () ->
                    new IOException(
                        dataNode.logFile() + " does not contain \"" + REGISTERED + "\""));
    try {
      return LocalDateTime.parse(line.substring(0, LOG_TIME_LENGTH), LOG_TIME)
          .atZone(ZoneId.systemDefault())
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new IOException(dataNode.logFile() + " has a line without a time stamp: " + line, e);
    }
  }

  private static List<String> logLines(Daemon daemon) throws IOException {
    return Files.readAllLines(daemon.logFile(), StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
