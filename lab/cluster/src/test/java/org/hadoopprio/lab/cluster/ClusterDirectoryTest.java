// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopprio.lab.cluster.ClusterState.DaemonState;
import org.hadoopprio.lab.disk.DiskKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterDirectoryTest {

  @TempDir Path parent;

  private ClusterDirectory directory() {
    return new ClusterDirectory(parent.resolve("cluster"));
  }

  @Test
  void refusesADirectoryOfSomebodyElse() throws IOException {
    Path file = Files.writeString(Files.createDirectories(directory().root()).resolve("data"), "x");
    ClusterException failure = assertThrows(ClusterException.class, () -> directory().prepare());
    assertTrue(failure.getMessage().contains("not made by hprio"), failure.getMessage());
    assertTrue(Files.exists(file));
  }

  @Test
  void refusesAFile() throws IOException {
    Files.writeString(directory().root(), "x");
    ClusterException failure = assertThrows(ClusterException.class, () -> directory().prepare());
    assertTrue(failure.getMessage().contains("is no directory"), failure.getMessage());
  }

  @Test
  void emptiesADirectoryOfAFormerCluster() throws IOException {
    directory().prepare();
    Files.writeString(directory().log("namenode"), "old");
    directory().prepare();
    assertFalse(Files.exists(directory().log("namenode")));
  }

  @Test
  void keepsLogsAndConfigurationWhenTheDataGoes() throws IOException {
    directory().prepare();
    Files.writeString(directory().log("namenode"), "x");
    Files.createDirectories(directory().clientConf());
    Files.createDirectories(directory().data("namenode"));
    directory().removeData();
    assertTrue(Files.exists(directory().log("namenode")));
    assertTrue(Files.exists(directory().clientConf()));
    assertFalse(Files.exists(directory().data("namenode")));
  }

  @Test
  void readsTheStateItWrites() throws IOException {
    directory().prepare();
    assertEquals(Optional.empty(), directory().readState());
    ClusterState state = new ClusterState();
    state.id = "an-id";
    state.diskKind = DiskKind.DIR;
    state.replication = 2;
    state.conf.put("a.key", "a value");
    state.disks.add("datanode-1");
    DaemonState daemon = new DaemonState();
    daemon.name = "datanode-1";
    daemon.role = Role.DATANODE;
    daemon.ports.put("http", 1234);
    daemon.options =
        new DaemonOptions(Role.DATANODE)
            .stock()
            .nativeHadoop(false)
            .heapMb(77)
            .conf("k", "v")
            .env("E", "e")
            .systemProperty("p", "q")
            .classPath(List.of(Path.of("/a.jar")));
    state.daemons.add(daemon);
    directory().writeState(state);

    ClusterState read = directory().readState().orElseThrow();
    assertEquals("an-id", read.id);
    assertEquals(DiskKind.DIR, read.diskKind);
    assertEquals(2, read.replication);
    assertEquals(Map.of("a.key", "a value"), read.conf);
    assertEquals(List.of("datanode-1"), read.disks);
    DaemonState one = read.first(Role.DATANODE);
    assertEquals("datanode-1", one.name);
    assertEquals(1234, one.port("http"));
    assertFalse(one.options.hasAgent());
    assertFalse(one.options.hasNativeHadoop());
    assertEquals(77, one.options.heapMb());
    assertEquals(Map.of("k", "v"), one.options.conf());
    assertEquals(Map.of("E", "e"), one.options.env());
    assertEquals(List.of("-Dp=q"), one.options.jvmOptions());
    assertEquals(List.of(Path.of("/a.jar")), one.options.classPath());
  }

  @Test
  void namesAStateFileThatIsDamaged() throws IOException {
    directory().prepare();
    Path file = Files.writeString(directory().root().resolve("cluster.json"), "{\"id\":");
    ClusterException failure = assertThrows(ClusterException.class, () -> directory().readState());
    assertTrue(failure.getMessage().contains(file.toString()), failure.getMessage());
  }
}
