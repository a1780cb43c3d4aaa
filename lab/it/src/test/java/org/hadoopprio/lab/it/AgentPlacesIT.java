// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.tools.doctor.DoctorCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The agent does no harm in a NameNode, works once where it is given twice, two of its versions
 * serve one cluster, and it is complete in a process with several daemons.
 */
class AgentPlacesIT {

  private static final String OTHER_VERSION = "99.0";

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    String other = "-javaagent:" + otherVersion();
    cluster =
        Clusters.of(AgentPlacesIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(3)
            .configure(Role.NAMENODE, o -> o.agent(true))
            .configure(
                "datanode-2",
                o -> o.stock().jvmOption(other).conf("dfs.datanode.io.priority.highest", "rt:0"))
            .configure("datanode-3", o -> o.jvmOption(other))
            .start();
    SpreadFile.write(cluster);
    SpreadFile.read(cluster, IoPriority.realtime(3));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
  }

  /** The agent's jar under another version. */
  private static Path otherVersion() throws IOException {
    Path copy = Path.of("target", "it", "hdfs-prio-" + OTHER_VERSION + "-agent.jar");
    copy = copy.toAbsolutePath();
    Files.createDirectories(copy.getParent());
    Files.copy(Installation.find().agentJar(), copy, StandardCopyOption.REPLACE_EXISTING);
    try (FileSystem jar = FileSystems.newFileSystem(copy, (ClassLoader) null)) {
      Path file = jar.getPath("META-INF/MANIFEST.MF");
      Manifest manifest;
      try (InputStream in = Files.newInputStream(file)) {
        manifest = new Manifest(in);
      }
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, OTHER_VERSION);
      try (OutputStream out = Files.newOutputStream(file)) {
        manifest.write(out);
      }
    }
    return copy;
  }

  @Test
  void twoVersionsServeTheSamePriorities() throws IOException {
    assertEquals(
        OTHER_VERSION, Clusters.metric(cluster, cluster.daemon("datanode-2"), "Version").asText());
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      assertTrue(
          Clusters.metric(cluster, dataNode, "GrantedRealtime").asLong() > 0, dataNode.name());
      assertEquals(0, Clusters.metric(cluster, dataNode, "Failed").asLong(), dataNode.name());
      assertEquals(0, Clusters.metric(cluster, dataNode, "Malformed").asLong(), dataNode.name());
    }
  }

  @Test
  void theDoctorNamesTheOtherVersion() throws IOException {
    StringWriter out = new StringWriter();
    new CommandLine(new DoctorCommand())
        .setOut(new PrintWriter(out))
        .execute("--http", "127.0.0.1:" + cluster.daemon("datanode-2").port("http"));
    assertTrue(
        out.toString().contains("version " + OTHER_VERSION + ", hooks applied"), out.toString());
    assertTrue(
        out.toString().contains("version " + Installation.version() + " is installed here"),
        out.toString());
  }

  @Test
  void ofTwoInOneProcessTheFirstWorks() throws IOException {
    Daemon dataNode = cluster.daemon("datanode-3");
    String version = Installation.version();
    assertEquals(version, Clusters.metric(cluster, dataNode, "Version").asText());
    String said = Files.readString(dataNode.outputFile());
    String expected =
        "hadoop-prio agent given twice; version " + version + " is active, this one does nothing";
    assertEquals(1, said.lines().filter(expected::equals).count(), said);
  }

  @Test
  void inANameNodeItDoesNothing() throws IOException {
    Daemon nameNode = cluster.daemon(Role.NAMENODE);
    assertEquals(
        Clusters.metric(cluster, nameNode, "HooksTotal"),
        Clusters.metric(cluster, nameNode, "HooksApplied"));
    for (String counter : new String[] {"Stamped", "GrantedRealtime", "Failed"}) {
      assertEquals(0, Clusters.metric(cluster, nameNode, counter).asLong(), counter);
    }
  }

  /** The client and the NameNode have loaded classes that the DataNode's modules hook. */
  @Test
  void inAProcessWithOtherDaemonsAllHooksOfADataNodeAreApplied(@TempDir Path directory)
      throws Exception {
    // Hadoop's artifacts have no pages, without which its servers do not start.
    Files.createDirectories(directory.resolve("webapps/hdfs"));
    Files.createDirectories(directory.resolve("webapps/datanode"));
    String output =
        Clusters.output(
            cluster
                .client(OneProcessMain.class.getName(), directory.toString())
                .addClassPath(TestClasses.directory())
                .addClassPath(directory));
    List<String> without =
        output.lines().filter(l -> l.startsWith("without ")).collect(Collectors.toList());
    assertEquals(List.of(), without, output);
    assertTrue(output.contains("GrantedIdle=1"), "the read: " + output);
  }
}
