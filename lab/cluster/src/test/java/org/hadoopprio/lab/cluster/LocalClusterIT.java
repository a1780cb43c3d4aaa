// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Privileges;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HDFS alone: starting, stopping, failing and being killed. */
class LocalClusterIT {

  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/file");

  @TempDir Path parent;
  private Path directory;

  @BeforeEach
  void nameDirectory() {
    directory = parent.resolve("cluster");
  }

  @AfterEach
  void leavesNothing() throws IOException {
    Optional<LocalCluster> left = LocalCluster.find(directory);
    if (left.isPresent()) {
      left.get().stop();
    }
    String mark = directory.toString();
    assertFalse(
        ProcessHandle.allProcesses()
            .anyMatch(process -> process.info().commandLine().orElse("").contains(mark + "/conf")),
        "a daemon is left");
    assertFalse(Files.readString(Path.of("/proc/self/mounts")).contains(mark), "a mount is left");
    if (Privileges.isRoot()) {
      assertFalse(SystemCommand.run("losetup", "--all").contains(mark), "a loop device is left");
    }
  }

  private ClusterBuilder hdfs() {
    return LocalCluster.builder(directory).hbase(false).yarn(false).dataNodes(1).stopAtExit(true);
  }

  private static void write(LocalCluster cluster, byte[] data) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf());
        FSDataOutputStream out = fs.create(FILE)) {
      out.write(data);
    }
  }

  private static byte[] read(LocalCluster cluster) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      byte[] data = new byte[(int) fs.getFileStatus(FILE).getLen()];
      try (FSDataInputStream in = fs.open(FILE)) {
        in.readFully(data);
      }
      return data;
    }
  }

  @Test
  void agentJarBringsTheClassesOfHdfsPrio() {
    String from = IoPriority.class.getProtectionDomain().getCodeSource().getLocation().toString();
    assertTrue(from.endsWith("-agent.jar"), from);
  }

  @Test
  void servesFilesThroughRestartsOfADataNode() throws IOException {
    byte[] data = new byte[100_000];
    new Random(1).nextBytes(data);
    try (LocalCluster cluster = hdfs().start()) {
      write(cluster, data);
      assertArrayEquals(data, read(cluster));

      // Another process would see the same.
      LocalCluster attached = LocalCluster.attach(directory);
      Daemon dataNode = attached.daemon("datanode-1");
      assertTrue(dataNode.hasAgent());
      assertTrue(isAgentAtWork(attached, dataNode));
      long before = dataNode.pid().orElseThrow();
      attached.restart(dataNode, DaemonOptions::stock);
      assertTrue(before != dataNode.pid().orElseThrow());
      assertFalse(isAgentAtWork(attached, dataNode));
      assertArrayEquals(data, read(cluster));

      attached.setLogLevel(dataNode, "org.hadoopprio.trace", "DEBUG");
      assertThrows(
          ClusterException.class, () -> attached.setLogLevel(dataNode, "org.hadoopprio", "LOUD"));

      attached.requireRunning();
      attached.kill(dataNode);
      assertFalse(attached.isRunning());
      ClusterException ended = assertThrows(ClusterException.class, attached::requireRunning);
      assertTrue(ended.getMessage().startsWith("datanode-1: has ended"), ended.getMessage());
      assertFalse(ClusterStatus.of(attached).allRunning());
      attached.start(dataNode);
      assertArrayEquals(data, read(cluster));
    }
    assertEquals(Optional.empty(), LocalCluster.find(directory));
  }

  private static boolean isAgentAtWork(LocalCluster cluster, Daemon daemon) throws IOException {
    return cluster.jmx(daemon, "org.hadoopprio:type=IoPriority").size() == 1;
  }

  /** By what the kernel says of the DataNode. */
  @Test
  void aDataNodeWithLittlePageCache() throws IOException {
    Need.MEMORY_GROUP.require(MemoryGroup.areAllowed(), "none that this user may change");
    byte[] data = new byte[100_000];
    new Random(2).nextBytes(data);
    MemoryGroup group;
    try (LocalCluster cluster = hdfs().littlePageCache().start()) {
      assertTrue(cluster.hasLittlePageCache());
      group = MemoryGroup.of(cluster.id() + "-datanode-1").orElseThrow();
      write(cluster, data);
      cluster.restart(cluster.daemon("datanode-1"), DaemonOptions::stock);
      assertArrayEquals(data, read(cluster));
      String pid = Long.toString(cluster.daemon("datanode-1").pid().orElseThrow());
      List<String> inGroup = Files.readAllLines(group.directory().resolve("cgroup.procs"));
      assertEquals(List.of(pid), inGroup);
      long neverMore = 512L << 20;
      assertEquals(neverMore, group.limit());
    }
    assertFalse(Files.exists(group.directory()));
  }

  @Test
  void refusesASecondClusterInTheSamePlace() throws IOException {
    try (LocalCluster cluster = hdfs().disk(DiskKind.DIR).start()) {
      ClusterException failure = assertThrows(ClusterException.class, () -> hdfs().start());
      assertTrue(failure.getMessage().contains("runs in"), failure.getMessage());
      assertTrue(cluster.isRunning());
    }
  }

  @Test
  void showsTheLogOfADaemonThatFails() {
    ClusterException failure =
        assertThrows(
            ClusterException.class,
            () ->
                hdfs()
                    .configure(Role.DATANODE, o -> o.conf("dfs.datanode.address", "127.0.0.1:-7"))
                    .start());
    assertTrue(failure.getMessage().startsWith("datanode-1: has ended"), failure.getMessage());
    assertTrue(failure.getMessage().contains("127.0.0.1:-7"), failure.getMessage());
    assertFalse(Files.exists(directory.resolve("cluster.json")));
  }

  @Test
  void runsAClientInAnotherProcess() throws Exception {
    try (LocalCluster cluster = hdfs().start()) {
      write(cluster, new byte[] {'o', 'k'});
      assertEquals("ok", output(cluster.client("org.apache.hadoop.fs.FsShell", "-cat", "/file")));
      assertEquals(
          "ok", output(cluster.client("org.apache.hadoop.fs.FsShell", "-cat", "/file").stock()));
    }
  }

  private static String output(ClientCommand client) throws Exception {
    Process process =
        client.toProcessBuilder().redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    return output;
  }

  @Test
  void stopsAClientThatStillRuns() throws Exception {
    Process client;
    try (LocalCluster cluster = hdfs().disk(DiskKind.DIR).start()) {
      // Waits for standard input.
      client =
          cluster
              .client("org.apache.hadoop.fs.FsShell", "-put", "-", "/x")
              .toProcessBuilder()
              .start();
    }
    assertTrue(client.waitFor(10, TimeUnit.SECONDS));
  }

  @Test
  void stopsAllWhenItIsInterruptedWhileItStarts() throws Exception {
    Process up = startInAnotherProcess();
    awaitDataNode();
    up.destroy();
    assertTrue(up.waitFor(60, TimeUnit.SECONDS));
    assertEquals(Optional.empty(), LocalCluster.find(directory));
  }

  @Test
  void canBeStoppedAfterItsStarterWasKilled() throws Exception {
    Process up = startInAnotherProcess();
    awaitDataNode();
    up.destroyForcibly().waitFor();
    LocalCluster left = LocalCluster.attach(directory);
    assertTrue(left.daemon("datanode-1").isRunning());
    left.stop();
    assertEquals(Optional.empty(), LocalCluster.find(directory));
    assertFalse(left.daemon("datanode-1").isRunning());
  }

  private Process startInAnotherProcess() throws IOException {
    Installation installation = Installation.find();
    List<String> command = new ArrayList<>();
    command.add(installation.java().toString());
    command.add("-D" + Installation.HOME_PROPERTY + "=" + installation.home());
    command.add("-cp");
    command.add(
        String.join(
            File.pathSeparator,
            Path.of("target", "test-classes").toAbsolutePath().toString(),
            installation.ownClasses().toString(),
            installation.jarsWildcard(),
            installation.agentJar().toString()));
    command.addAll(List.of(ClusterUp.class.getName(), directory.toString()));
    return new ProcessBuilder(command).inheritIO().start();
  }

  private void awaitDataNode() {
    Path pidFile = new ClusterDirectory(directory).pidFile("datanode-1");
    await("a DataNode").atMost(Duration.ofMinutes(1)).until(() -> Files.exists(pidFile));
  }
}
