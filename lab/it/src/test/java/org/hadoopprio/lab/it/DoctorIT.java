// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.hadoopprio.hdfs.datanode.engine.EngineKeys;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.Directories;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.tools.doctor.DoctorCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * {@code hprio doctor} finds what is wrong with each of several DataNodes, on this machine's
 * kernel.
 */
class DoctorIT {

  private static final Path NOEXEC = Path.of("target", "it", "doctor-noexec").toAbsolutePath();

  private static LocalCluster cluster;
  private static Path inMemory;

  @BeforeAll
  static void start() throws Exception {
    Clusters.requireRoot("dropping a capability and mounting a tmpfs");
    Path shared = Path.of("/dev/shm");
    Need.MEMORY_FILES.require(
        Files.exists(shared) && Files.getFileStore(shared).type().equals("tmpfs"), "");
    inMemory = Files.createTempDirectory(shared, "hprio-doctor-");
    Files.createDirectories(NOEXEC);
    SystemCommand.run("mount", "-t", "tmpfs", "-o", "noexec", "hprio-doctor", NOEXEC.toString());
    cluster =
        Clusters.of(DoctorIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(4)
            .configure("datanode-1", o -> o.conf(EngineKeys.ENGINE.name(), "ncq"))
            .configure(
                "datanode-2", o -> o.wrapper("setpriv", "--bounding-set", "-sys_nice,-sys_admin"))
            .configure(
                "datanode-3",
                o ->
                    o.systemProperty("jna.tmpdir", NOEXEC.toString())
                        .conf("dfs.datanode.data.dir", inMemory.resolve("dfs").toUri().toString()))
            .configure("datanode-4", o -> o.stock())
            .start();
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
    if (inMemory != null) {
      Directories.delete(inMemory);
      SystemCommand.run("umount", NOEXEC.toString());
    }
  }

  private static DoctorVisit visit(String daemon) throws IOException {
    return new DoctorVisit("--http", "127.0.0.1:" + cluster.daemon(daemon).port("http"));
  }

  @Test
  void aDataNodeWithAgentAndCapabilityHasNoProblem() throws IOException {
    DoctorVisit visit = visit("datanode-1");
    assertEquals(
        List.of("ok agent", "ok capability", "ok ioprio", "ok ioprio", "ok jna", "ok kernel"),
        visit.findings("agent", "capability", "ioprio", "jna", "kernel"),
        visit.output());
    assertEquals(1, visit.findings("io-scheduler").size(), visit.output());
    assertEquals(1, visit.findings("volume").size(), visit.output());
    assertFalse(visit.findings("volume").get(0).startsWith("problem"), visit.output());
    boolean problems = visit.json().path("problems").asInt() > 0;
    assertEquals(problems ? 1 : 0, visit.exit(), visit.output());
  }

  /** A directory is on no SATA disk of its own, or there is no library. */
  @Test
  void anEngineThatWasRefusedIsToldOnce() throws IOException {
    DoctorVisit visit = visit("datanode-1");
    assertEquals(List.of("advice engine"), visit.findings("engine"), visit.output());
    assertTrue(visit.remedy("engine").contains("to thread"), visit.output());
  }

  @Test
  void withoutTheCapabilityItSaysWhatGivesIt() throws IOException {
    DoctorVisit visit = visit("datanode-2");
    assertEquals(
        List.of("ok agent", "problem capability"),
        visit.findings("agent", "capability"),
        visit.output());
    assertTrue(visit.remedy("capability").contains("--cap-add SYS_NICE"), visit.output());
    assertEquals(1, visit.exit());
  }

  @Test
  void aVolumeInMemoryAndAJnaDirectoryWithoutExecution() throws IOException {
    DoctorVisit visit = visit("datanode-3");
    assertEquals(List.of("problem volume"), visit.findings("volume"), visit.output());
    assertTrue(visit.remedy("volume").contains("[RAM_DISK]" + inMemory), visit.output());
    assertEquals(List.of("problem jna"), visit.findings("jna"), visit.output());
    assertTrue(visit.remedy("jna").contains("-Djna.tmpdir"), visit.output());
    // The hooks are in force, but the agent sets no priority.
    assertEquals(List.of("ok agent", "problem agent"), visit.findings("agent"), visit.output());
    assertEquals(1, visit.exit());
    Daemon dataNode = cluster.daemon("datanode-3");
    String unavailable = Clusters.metric(cluster, dataNode, "ThreadPriorityUnavailable").asText();
    assertTrue(unavailable.contains("JNA or its native library is not usable"), unavailable);
  }

  @Test
  void aStockDataNodeLacksTheAgent() throws IOException {
    DoctorVisit visit = visit("datanode-4");
    assertEquals(List.of("problem agent"), visit.findings("agent"), visit.output());
    assertTrue(visit.remedy("agent").contains("hdfs-env.sh"), visit.output());
    assertEquals(1, visit.exit());
  }

  @Test
  void theDaemonByItsProcessAndConfiguration() throws IOException {
    Daemon dataNode = cluster.daemon("datanode-3");
    DoctorVisit visit =
        new DoctorVisit(
            "--pid",
            Long.toString(dataNode.pid().getAsLong()),
            "--conf",
            dataNode.confDirectory().toString());
    assertEquals(List.of("problem volume"), visit.findings("volume"), visit.output());
    assertEquals(Collections.emptyList(), visit.findings("daemon"), visit.output());
    assertEquals(List.of("ok agent", "problem agent"), visit.findings("agent"), visit.output());
  }

  @Test
  void badInputIsTold() {
    StringWriter err = new StringWriter();
    CommandLine command = new CommandLine(new DoctorCommand()).setErr(new PrintWriter(err));
    assertEquals(2, command.execute("--http", "nowhere"));
    assertTrue(
        err.toString().contains("\"nowhere\" is not an address; allowed: HOST:PORT"),
        err.toString());
    assertEquals(2, command.execute("--conf", NOEXEC.toString()));
    assertTrue(err.toString().contains("has none of core-site.xml, hdfs-site.xml"), err.toString());
  }
}
