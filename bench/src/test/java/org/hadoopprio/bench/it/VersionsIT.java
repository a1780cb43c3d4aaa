package org.hadoopprio.bench.it;

import static org.hadoopprio.bench.it.Clusters.MIB;
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
import org.hadoopprio.bench.cluster.ClusterBuilder;
import org.hadoopprio.bench.cluster.Installation;
import org.hadoopprio.bench.cluster.LocalCluster;
import org.hadoopprio.bench.cluster.Role;
import org.hadoopprio.bench.trace.BlockTraceSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One agent jar on the versions of Hadoop it is for, and on one it does not understand. */
class VersionsIT {

  private static final int FILE_MIB = 8;

  private static ClusterBuilder smallCluster() {
    return Clusters.of(VersionsIT.class).hbase(false).yarn(false).dataNodes(1);
  }

  /** The default version last, as its class path is the build's own. */
  @ParameterizedTest
  @ValueSource(strings = {"3.3.6", "3.5.0", "default"})
  void allHooksApplyAndAReadTakesItsPriority(String version) throws Exception {
    List<Path> classPath = classPath(version);
    try (LocalCluster cluster = smallCluster().configureAll(o -> o.classPath(classPath)).start()) {
      Clusters.requireBlockTrace(cluster);
      BlockTraceSummary seen = writeAndRead(cluster, classPath);
      Clusters.assertNearlyAll(IoPriority.realtime(3), FILE_MIB * MIB, seen);
      assertEquals(
          Clusters.metric(cluster, cluster.daemon(Role.DATANODE), "HooksTotal").asInt(),
          Clusters.metric(cluster, cluster.daemon(Role.DATANODE), "HooksApplied").asInt());
      if (!version.equals("default")) {
        String about =
            cluster
                .jmx(cluster.daemon(Role.DATANODE), "Hadoop:service=DataNode,name=DataNodeInfo")
                .get(0)
                .get("SoftwareVersion")
                .asText();
        assertTrue(about.startsWith(version), "the DataNode runs " + about);
      }
    }
  }

  @Test
  void onARenamedMethodTheDataNodesModuleSwitchesOffAndTheDataNodeServes() throws Exception {
    List<Path> stock = classPath("default");
    List<Path> renamed = new ArrayList<>();
    renamed.add(RenamedMethod.writeTo(Path.of("target", "it", "renamed").toAbsolutePath()));
    renamed.addAll(stock);
    try (LocalCluster cluster =
        smallCluster().configure(Role.DATANODE, o -> o.classPath(renamed)).start()) {
      Clusters.requireBlockTrace(cluster);
      BlockTraceSummary seen = writeAndRead(cluster, stock);
      Clusters.assertOnly(IoPriority.NONE, seen);
      String log = Files.readString(cluster.daemon(Role.DATANODE).logFile());
      assertTrue(log.contains("Module datanode is OFF"), log);
      assertTrue(
          Clusters.metric(cluster, cluster.daemon(Role.DATANODE), "HooksApplied").asInt()
              < Clusters.metric(cluster, cluster.daemon(Role.DATANODE), "HooksTotal").asInt());
    }
  }

  private static BlockTraceSummary writeAndRead(LocalCluster cluster, List<Path> classPath)
      throws Exception {
    List<Path> withTests = new ArrayList<>(classPath);
    withTests.add(TestClasses.directory());
    Clusters.output(reader(cluster, "write", withTests).toProcessBuilder());
    return Clusters.traced(
        cluster, () -> Clusters.output(reader(cluster, "read", withTests).toProcessBuilder()));
  }

  private static org.hadoopprio.bench.cluster.ClientCommand reader(
      LocalCluster cluster, String action, List<Path> classPath) throws IOException {
    return cluster
        .client(SampleFile.class.getName(), action, "/file", Integer.toString(FILE_MIB))
        .classPath(classPath)
        .env("HADOOP_IO_PRIORITY", "rt:3");
  }

  /** The class path of a version in the matrix, or of the build itself. */
  static List<Path> classPath(String version) throws IOException {
    Installation installation = Installation.find();
    if (version.equals("default")) {
      return installation.jars();
    }
    Path library =
        installation.home().resolve(Path.of("matrix", "hadoop-" + version, "target", "lib"));
    try (Stream<Path> jars = Files.list(library)) {
      return jars.sorted().collect(Collectors.toList());
    }
  }
}
