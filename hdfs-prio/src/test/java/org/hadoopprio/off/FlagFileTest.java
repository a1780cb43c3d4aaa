// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.off;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.log.LoggedLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlagFileTest {

  @TempDir private Path directory;

  private Path path;
  private FlagFile file;

  @BeforeEach
  void noFile() {
    path = directory.resolve("off");
    file = new FlagFile(path, 1);
    file.look();
  }

  @AfterEach
  void remove() throws IOException {
    Files.deleteIfExists(path);
    file.look();
    assertOff(Set.of());
    assertEquals("", OffSwitch.reason());
  }

  @Test
  @Timeout(30)
  void aLookThatFailsIsNotTheLast() throws InterruptedException {
    CountDownLatch looks = new CountDownLatch(2);
    Path failing =
        Stubs.answering(
            Path.class,
            "getFileSystem",
            () -> {
              looks.countDown();
              throw new InternalError("a test's");
            });
    Thread thread = new Thread(new FlagFile(failing, 1)::lookForEver);
    thread.start();
    looks.await();
    thread.interrupt();
    thread.join();
  }

  private void write(String content) throws IOException {
    Files.writeString(path, content);
    file.look();
  }

  private static void assertOff(Set<AgentModule> modules) {
    Set<AgentModule> off = EnumSet.noneOf(AgentModule.class);
    for (AgentModule module : AgentModule.values()) {
      if (OffSwitch.isOff(module)) {
        off.add(module);
      }
    }
    assertEquals(modules, off, OffSwitch.reason());
    assertEquals(modules.size(), OffSwitch.modules());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", " , \n"})
  void anEmptyFileSwitchesOffAllThatHasAnEffectOnRequests(String content) throws IOException {
    assertOff(Set.of());
    write(content);
    assertOff(AgentModule.ALL);
    assertEquals("all modules: the file " + path + " is there", OffSwitch.reason());
  }

  @Test
  void itMayNameModules() throws IOException {
    write("late-reads\nwork");
    assertOff(EnumSet.of(AgentModule.LATE_READS, AgentModule.WORK));
    assertEquals("late-reads, work: the file " + path + " names them", OffSwitch.reason());
    write("reconfigure");
    assertOff(EnumSet.of(AgentModule.RECONFIGURE));
  }

  @Test
  void nonsenseSwitchesAllOffAndIsLoggedOnce() throws IOException {
    try (LoggedLines lines = LoggedLines.of(OffSwitch.class)) {
      write("late-reads, turns");
      assertOff(AgentModule.ALL);
      file.look();
      assertEquals(1, lines.all().size(), lines.all().toString());
      String line = lines.all().get(0);
      assertTrue(line.contains("\"turns\" is no module; allowed: hdfs-client, late-reads,"), line);
      Files.delete(path);
      file.look();
      file.look();
      assertEquals(2, lines.all().size(), lines.all().toString());
    }
  }

  @Test
  void whatCannotBeReadSwitchesAllOff() throws IOException {
    Files.createDirectory(path);
    file.look();
    assertOff(AgentModule.ALL);
    assertTrue(OffSwitch.reason().contains(path.toString()), OffSwitch.reason());
  }

  @Test
  void whatOneSwitchesOffAnotherOneDoesNotSwitchOn() throws IOException {
    write("");
    OffSwitch.set("key", EnumSet.of(AgentModule.WORK), "a key");
    Files.delete(path);
    file.look();
    assertOff(EnumSet.of(AgentModule.WORK));
    OffSwitch.set("key", Set.of(), "");
  }
}
