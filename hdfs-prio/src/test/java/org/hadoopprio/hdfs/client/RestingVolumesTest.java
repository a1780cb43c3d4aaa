// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.hadoopprio.linux.DescriptorNumber;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestingVolumesTest {

  @TempDir private Path directory;

  @BeforeAll
  static void open() {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
  }

  private String volume(String file) throws IOException {
    Path path = directory.toRealPath().resolve(file);
    Files.createDirectories(path.getParent());
    Files.createFile(path);
    try (FileInputStream data = new FileInputStream(path.toFile())) {
      String volume = RestingVolumes.of(data, "BP-1");
      Files.delete(path);
      String afterwards = RestingVolumes.of(data, "BP-1");
      assertEquals(volume.replace(" (deleted)", ""), afterwards.replace(" (deleted)", ""));
      return volume;
    }
  }

  @Test
  void aVolumeIsTheDirectoryAboveItsBlockPools() throws IOException {
    String expected = directory.toRealPath().resolve("data") + "";
    assertEquals(expected, volume("data/current/BP-1/current/finalized/subdir0/subdir0/blk_1"));
    assertEquals(expected, volume("data/current/BP-1/current/rbw/blk_2"));
    assertEquals(expected + "/elsewhere", volume("data/elsewhere"), "a volume of its own");
  }

  @Test
  void ofAFileThatWasClosedTheVolumeIsNotKnown() throws IOException {
    FileInputStream closed = new FileInputStream("/dev/null");
    closed.close();
    assertThrows(IOException.class, () -> RestingVolumes.of(closed, "BP-1"));
  }

  @Test
  void eachRestsForItsTime() {
    AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    RestingVolumes resting = new RestingVolumes(now::get);
    assertTrue(resting.isEmpty());
    resting.add("/a");
    assertTrue(resting.contains("/a"));
    assertFalse(resting.contains("/b"));
    now.addAndGet(RestingVolumes.REST_NANOS - 1);
    resting.add("/b");
    assertTrue(resting.contains("/a"));
    now.incrementAndGet();
    assertFalse(resting.contains("/a"));
    assertTrue(resting.contains("/b"));
    now.addAndGet(RestingVolumes.REST_NANOS);
    assertFalse(resting.contains("/b"));
    assertTrue(resting.isEmpty(), "nothing is left");
  }
}
