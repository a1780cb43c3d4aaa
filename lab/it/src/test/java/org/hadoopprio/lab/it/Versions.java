// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * With the one agent jar on a version of Hadoop, all hooks apply, a read has its priority at the
 * block layer, and the real-time share is changed live.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Versions {

  static final int FILE_MIB = 8;

  private final String version;
  private List<Path> classPath;
  private LocalCluster cluster;

  /** Tests a version whose class path is in lab/it/hadoop. */
  Versions(String version) {
    this.version = version;
  }

  @BeforeAll
  void start() throws IOException {
    classPath = classPath(version);
    cluster =
        Clusters.of(getClass())
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .configureAll(o -> o.classPath(classPath))
            .start();
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
  }

  @Test
  void allHooksApplyAndAReadTakesItsPriority() throws Exception {
    Clusters.requireBlockTrace(cluster);
    BlockTraceSummary seen = writeAndRead(cluster, classPath);
    Clusters.assertNearlyAll(IoPriority.realtime(3), FILE_MIB * MIB, seen);
    assertEquals(
        Clusters.metric(cluster, cluster.daemon(Role.DATANODE), "HooksTotal").asInt(),
        Clusters.metric(cluster, cluster.daemon(Role.DATANODE), "HooksApplied").asInt());
    String about = running(cluster);
    assertTrue(about.startsWith(version), "the DataNode runs " + about);
  }

  @Test
  void theShareIsChangedLive() throws Exception {
    String share = SchedulerKeys.SHARE.name();
    assertTrue(DiskTimeIT.dfsAdmin(cluster, "properties").contains(share));
    assertTrue(DiskTimeIT.reconfigure(cluster, share, "0.25").contains("SUCCESS"));
    Daemon dataNode = cluster.daemon(Role.DATANODE);
    assertEquals(0.25, Clusters.metric(cluster, dataNode, "RealtimeShare").asDouble());
    String status = DiskTimeIT.reconfigure(cluster, share, "none");
    assertTrue(status.contains("FAILED") && status.contains(share + " = \"none\""), status);
    assertEquals(0.25, Clusters.metric(cluster, dataNode, "RealtimeShare").asDouble());
  }

  /** The version of Hadoop that the DataNode runs. */
  static String running(LocalCluster cluster) throws IOException {
    return cluster
        .jmx(cluster.daemon(Role.DATANODE), "Hadoop:service=DataNode,name=DataNodeInfo")
        .get(0)
        .get("SoftwareVersion")
        .asText();
  }

  static BlockTraceSummary writeAndRead(LocalCluster cluster, List<Path> classPath)
      throws Exception {
    return writeAndRead(cluster, classPath, Path.of(System.getProperty("java.home")));
  }

  /** The same with clients on another Java. */
  static BlockTraceSummary writeAndRead(LocalCluster cluster, List<Path> classPath, Path javaHome)
      throws Exception {
    List<Path> withTests = new ArrayList<>(classPath);
    withTests.add(TestClasses.directory());
    Clusters.output(reader(cluster, "write", withTests).javaHome(javaHome));
    return Clusters.traced(
        cluster, () -> Clusters.output(reader(cluster, "read", withTests).javaHome(javaHome)));
  }

  private static ClientCommand reader(LocalCluster cluster, String action, List<Path> classPath)
      throws IOException {
    return cluster
        .client(SampleFile.class.getName(), action, "/file", Integer.toString(FILE_MIB))
        .classPath(classPath)
        .env("HADOOP_IO_PRIORITY", "rt:3");
  }

  static List<Path> classPath(String version) throws IOException {
    Path library =
        Installation.find()
            .home()
            .resolve(Path.of("lab", "it", "hadoop", version, "target", "lib"));
    try (Stream<Path> jars = Files.list(library)) {
      return jars.sorted().collect(Collectors.toList());
    }
  }
}
