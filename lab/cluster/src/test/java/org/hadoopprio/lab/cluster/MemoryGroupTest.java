// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a group is made, on directories that look like the kernel's. */
class MemoryGroupTest {

  @TempDir Path top;

  private Optional<Path> found(String mounts, String own) {
    return MemoryGroup.of("id-datanode-1", mounts, own).map(MemoryGroup::directory);
  }

  private String mount(String type, String options) {
    return "proc /proc proc rw 0 0\n" + type + " " + top + " " + type + " " + options + " 0 0\n";
  }

  @Test
  void version1BelowTheOwnGroup() throws IOException {
    Path own = Files.createDirectories(top.resolve("user/session"));
    assertEquals(
        Optional.of(own.resolve("hadoop-prio-id-datanode-1")),
        found(mount("cgroup", "rw,memory"), "4:cpu,cpuacct:/other\n3:memory:/user/session\n"));
  }

  @Test
  void version1InAContainerWhereTheTopIsTheOwnGroup() {
    assertEquals(
        Optional.of(top.resolve("hadoop-prio-id-datanode-1")),
        found(mount("cgroup", "rw,memory"), "3:memory:/docker/not-seen-from-here\n"));
  }

  @Test
  void version2AtTheTop() throws IOException {
    Files.writeString(top.resolve("cgroup.subtree_control"), "cpu memory pids\n");
    assertEquals(
        Optional.of(top.resolve("hadoop-prio-id-datanode-1")),
        found(mount("cgroup2", "rw"), "0::/user.slice\n"));
  }

  @Test
  void noneWhereMemoryIsNotGivenToGroups() throws IOException {
    assertEquals(Optional.empty(), found(mount("cgroup", "rw,cpu"), "3:cpu:/\n"));
    assertEquals(Optional.empty(), found(mount("cgroup2", "rw"), "0::/\n"));
    Files.writeString(top.resolve("cgroup.subtree_control"), "cpu pids\n");
    assertEquals(Optional.empty(), found(mount("cgroup2", "rw"), "0::/\n"));
  }

  @Test
  void setsItsLimitAndIsRemoved() throws IOException {
    Files.writeString(top.resolve("cgroup.subtree_control"), "memory\n");
    MemoryGroup group = MemoryGroup.of("x", mount("cgroup2", "rw"), "").orElseThrow();
    group.limit(1 << 29);
    Path limit = group.directory().resolve("memory.max");
    assertEquals("536870912", Files.readString(limit));
    // The kernel's own files would go with the directory.
    Files.delete(limit);
    group.remove();
    assertFalse(Files.exists(group.directory()));
    group.remove();
  }

  @Test
  void aCommandEntersItFirst() throws IOException {
    Files.writeString(top.resolve("cgroup.subtree_control"), "memory\n");
    MemoryGroup group = MemoryGroup.of("x", mount("cgroup2", "rw"), "").orElseThrow();
    String last = group.prefix().get(group.prefix().size() - 1);
    assertTrue(last.endsWith("/hadoop-prio-x/cgroup.procs"), last);
  }
}
