// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase compacts and splits while {@code hprio prove} looks at a region. */
class RegionFilesTest {

  @TempDir private Path table;
  private Path region;
  private RegionFiles files;

  @BeforeEach
  void aRegionWithTwoFamilies() throws IOException {
    region = table.resolve("0a1b");
    for (String file : Set.of("f/1", "g/2", ".tmp/3", "recovered.edits/4")) {
      Path path = region.resolve(file);
      Files.createDirectories(path.getParent());
      Files.createFile(path);
    }
    files =
        new RegionFiles(
            FileSystem.getLocal(new Configuration()),
            new org.apache.hadoop.fs.Path(region.toString()));
  }

  @Test
  void theFilesOfItsStoresAreListed() throws IOException {
    assertEquals(
        Set.of("1", "2"),
        files.list().stream().map(f -> f.getPath().getName()).collect(Collectors.toSet()));
    Files.createFile(region.resolve(".tmp/5"));
    assertFalse(files.haveChanged());
  }

  @Test
  void aCompactionIsNoticed() throws IOException {
    files.list();
    Files.move(region.resolve("f/1"), region.resolve("f/6"));
    assertTrue(files.haveChanged());
    files.list();
    assertTrue(files.haveChanged(), "since the first time");
  }

  @Test
  void aRegionThatIsGoneWasSplit() throws IOException {
    files.list();
    Files.move(region, table.resolve("archived"));
    IOException e = assertThrows(IOException.class, files::haveChanged);
    assertEquals("region 0a1b is split or merged; repeat it", e.getMessage());
  }

  /** Nothing was split that has never been seen, such as in the HDFS of another cluster. */
  @Test
  void aRegionThatWasNeverThereIsNotSaidToBeSplit() throws IOException {
    Files.move(region, table.resolve("elsewhere"));
    IOException e = assertThrows(IOException.class, files::list);
    assertTrue(
        e.getMessage().startsWith("region 0a1b has no directory " + region + ": it was"),
        e.getMessage());
    assertTrue(e.getMessage().contains("hbase.rootdir"), e.getMessage());
  }

  @Test
  void aRegionWithoutFilesThatIsGoneWasSplit() throws IOException {
    Files.delete(region.resolve("f/1"));
    Files.delete(region.resolve("g/2"));
    assertEquals(0, files.list().size());
    Files.move(region, table.resolve("archived"));
    IOException e = assertThrows(IOException.class, files::haveChanged);
    assertEquals("region 0a1b is split or merged; repeat it", e.getMessage());
  }
}
