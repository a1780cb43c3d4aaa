// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameNodeImageTest {

  private static final List<Path> CLASS_PATH = List.of(Path.of("hadoop-hdfs-3.4.3.jar"));

  @TempDir private Path directory;

  private NameNodeImage image(List<Path> classPath) {
    return new NameNodeImage(directory.resolve("kept"), classPath);
  }

  private Path formatted(String name, String version) throws IOException {
    Path current = Files.createDirectories(directory.resolve(name).resolve("current"));
    Files.writeString(current.resolve("VERSION"), version);
    return current.getParent();
  }

  @Test
  void whatIsKeptIsForTheSameClassPathAlone() throws IOException {
    Path copy = directory.resolve("data/namenode/name");
    assertFalse(image(CLASS_PATH).copyTo(copy));
    image(CLASS_PATH).keep(formatted("first", "1"));
    assertFalse(image(List.of(Path.of("hadoop-hdfs-3.3.6.jar"))).copyTo(copy));
    assertTrue(image(CLASS_PATH).copyTo(copy));
    assertEquals("1", Files.readString(copy.resolve("current/VERSION")));
  }

  @Test
  void theFirstOfTwoThatKeepAtTheSameTimeStays() throws IOException {
    image(CLASS_PATH).keep(formatted("first", "1"));
    image(CLASS_PATH).keep(formatted("second", "2"));
    Path copy = directory.resolve("copy");
    assertTrue(image(CLASS_PATH).copyTo(copy));
    assertEquals("1", Files.readString(copy.resolve("current/VERSION")));
    try (Stream<Path> left = Files.list(directory.resolve("kept"))) {
      assertEquals(1, left.count());
    }
  }
}
