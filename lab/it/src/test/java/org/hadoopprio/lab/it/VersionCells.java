// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.hdfs.client.ClientKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.ClusterException;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.DaemonOptions;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/**
 * Real daemons of Hadoop and HBase of the versions, and on the Javas, that {@code bin/hprio
 * versions} names, with the one agent jar. It is not among the tests of a build: the program
 * resolves the versions first, and writes the page from what is recorded here.
 */
class VersionCells {

  /** The system property with the file of cells; beside it goes the one of results. */
  private static final String FILE_PROPERTY = "hprio.versions.cells";

  private static final IoPriority RT3 = IoPriority.realtime(3);

  /** What the RegionServer's reads have where nobody states a priority. */
  private static final IoPriority OWN = IoPriority.bestEffort(1);

  /** That of the role {@code flush}. */
  private static final IoPriority FLUSH = IoPriority.bestEffort(2);

  /** The last bytes of a file are the kernel's. */
  private static final double NEARLY_FLUSHED = 0.9;

  /** A version on a Java. */
  static final class Cell {
    private final String line;
    private final String program;
    private final String version;
    private final Path javaHome;
    private final List<Path> classPath;

    Cell(String line) throws IOException {
      this.line = line;
      String[] fields = line.split("\t", -1);
      program = fields[0];
      version = fields[1];
      javaHome = Path.of(fields[3]);
      classPath = jars(Path.of(fields[4]));
    }

    private static List<Path> jars(Path directory) throws IOException {
      try (Stream<Path> files = Files.list(directory)) {
        return files.sorted().collect(Collectors.toCollection(ArrayList::new));
      }
    }

    void apply(DaemonOptions options) {
      options.classPath(classPath).javaHome(javaHome);
    }

    @Override
    public String toString() {
      return program + " " + version + " on " + javaHome;
    }
  }

  static List<Cell> cells() throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(System.getProperty(FILE_PROPERTY)))) {
      cells.add(new Cell(line));
    }
    return cells;
  }

  @ParameterizedTest
  @MethodSource("cells")
  void daemons(Cell cell) throws Exception {
    String outcome;
    try {
      outcome = cell.program.equals("hbase") ? hbase(cell) : hadoop(cell);
    } catch (TestAbortedException e) {
      // Nothing was seen, so nothing is recorded.
      throw e;
    } catch (Exception | AssertionError e) {
      record(cell, "FAILED: " + e);
      throw e;
    }
    record(cell, outcome);
  }

  private static void record(Cell cell, String outcome) throws IOException {
    Files.writeString(
        Path.of(System.getProperty(FILE_PROPERTY) + ".results"),
        cell.line + "\t" + outcome.lines().findFirst().orElse("") + "\n",
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static ClusterBuilder hadoopCluster(Consumer<DaemonOptions> each) throws IOException {
    return Clusters.of(VersionCells.class).hbase(false).yarn(false).dataNodes(1).configureAll(each);
  }

  private static String hadoop(Cell cell) throws Exception {
    try (LocalCluster cluster = hadoopCluster(cell::apply).start()) {
      Clusters.requireBlockTrace(cluster);
      Daemon dataNode = cluster.daemon(Role.DATANODE);
      BlockTraceSummary seen = Versions.writeAndRead(cluster, cell.classPath, cell.javaHome);
      Clusters.assertNearlyAll(RT3, (long) Versions.FILE_MIB * MIB, seen);
      int hooks = allHooks(cluster, dataNode);
      String running = Versions.running(cluster);
      assertTrue(running.startsWith(cell.version), "the DataNode runs " + running);
      String share = SchedulerKeys.SHARE.name();
      assertTrue(DiskTimeIT.reconfigure(cluster, share, "0.25").contains("SUCCESS"));
      return "runs: all "
          + hooks
          + " hooks applied, a read at rt:3 at the block layer, a key changed live";
    } catch (ClusterException e) {
      return doesNotStart("Hadoop", e, hadoopCluster(o -> cell.apply(o.stock())));
    }
  }

  /** HBase of the version, over HDFS of the build's. */
  private static ClusterBuilder hbaseCluster(Cell cell, Consumer<DaemonOptions> each)
      throws IOException {
    Installation installation = Installation.find();
    List<Path> daemons = installation.hbaseJars(cell.classPath);
    List<Path> regionServer = new ArrayList<>(daemons);
    String jar = "hbase-prio/target/hbase-prio-" + Installation.version() + "-node.jar";
    regionServer.add(installation.home().resolve(jar));
    Consumer<DaemonOptions> common = o -> each.accept(o.classPath(daemons).javaHome(cell.javaHome));
    return Clusters.of(VersionCells.class)
        .yarn(false)
        .dataNodes(1)
        .configure(Role.ZOOKEEPER, common)
        .configure(Role.MASTER, common)
        .configure(Role.REGIONSERVER, common)
        .configure(
            Role.REGIONSERVER,
            o -> o.classPath(regionServer).conf(ClientKeys.PRIORITY.name(), OWN.toString()));
  }

  private static String hbase(Cell cell) throws Exception {
    try (LocalCluster cluster = hbaseCluster(cell, o -> {}).start()) {
      Clusters.requireBlockTrace(cluster);
      Daemon regionServer = cluster.daemon(Role.REGIONSERVER);
      BlockTraceSummary written =
          Clusters.traced(cluster, () -> Clusters.output(rows(cluster, cell, "write")));
      BlockTraceSummary read =
          Clusters.traced(cluster, () -> Clusters.output(rows(cluster, cell, "read")));
      boolean fits = Clusters.logged(regionServer, "does not fit HBase").isEmpty();
      Clusters.assertNearlyAll(fits ? RT3 : OWN, SampleRows.BYTES, read);
      if (fits) {
        long flushed = written.writes(FLUSH).bytes();
        assertTrue(flushed >= NEARLY_FLUSHED * SampleRows.BYTES, () -> "flush: " + written);
      }
      return String.format(
          "runs: HDFS is %s, its client %s; %s; %d of %d hooks of the RegionServer applied",
          Versions.running(cluster),
          hdfsClient(cell),
          fits
              ? "a Get at rt:3 at the block layer, a flush at " + FLUSH
              : "hbase-prio.jar is off, a Get at rt:3 reads at the RegionServer's " + OWN,
          Clusters.metric(cluster, regionServer, "HooksApplied").asInt(),
          Clusters.metric(cluster, regionServer, "HooksTotal").asInt());
    } catch (ClusterException e) {
      return doesNotStart("HBase", e, hbaseCluster(cell, DaemonOptions::stock));
    }
  }

  /** The version of the HDFS client that an HBase brings. */
  private static String hdfsClient(Cell cell) {
    Pattern jar = Pattern.compile("hadoop-hdfs-client-(.+)\\.jar");
    return cell.classPath.stream()
        .map(path -> jar.matcher(path.getFileName().toString()))
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .findFirst()
        .orElse("unknown");
  }

  private static ClientCommand rows(LocalCluster cluster, Cell cell, String action)
      throws IOException {
    List<Path> classPath = new ArrayList<>(cell.classPath);
    classPath.add(TestClasses.directory());
    classPath.add(TestClasses.directory(IoPriorities.class));
    return cluster
        .client(SampleRows.class.getName(), action)
        .classPath(classPath)
        .javaHome(cell.javaHome);
  }

  private static int allHooks(LocalCluster cluster, Daemon daemon) throws IOException {
    int applied = Clusters.metric(cluster, daemon, "HooksApplied").asInt();
    assertEquals(
        Clusters.metric(cluster, daemon, "HooksTotal").asInt(),
        applied,
        () -> "not all hooks are applied, see " + daemon.logFile());
    return applied;
  }

  /** A version that does not start without the agent either says nothing about it. */
  private static String doesNotStart(String program, ClusterException reason, ClusterBuilder stock)
      throws IOException {
    try (LocalCluster cluster = stock.start()) {
      throw new AssertionError("it starts without the agent only: " + reason.getMessage(), reason);
    } catch (ClusterException e) {
      return "not run: stock " + program + " does not start here either, " + cause(e);
    }
  }

  /** The last exception in the log of the daemon that did not start. */
  private static String cause(ClusterException e) {
    Pattern exception =
        Pattern.compile("(?:Caused by: )?((?:\\w+\\.)+\\w+(?:Exception|Error)\\b.*)");
    return e.getMessage()
        .lines()
        .map(line -> exception.matcher(line.strip()))
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .reduce((former, last) -> last)
        .orElse("and its log has no exception");
  }
}
