// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "fs.defaultFS,CORE", "io.file.buffer.size,CORE", "dfs.replication,HDFS",
    "hbase.rootdir,HBASE", "hfile.block.cache.size,HBASE", "yarn.resourcemanager.address,YARN",
    "mapreduce.map.env,MAPRED"
  })
  void putsAKeyInTheFileOfItsComponent(String key, SiteFile file) {
    assertEquals(file, SiteFile.of(key));
  }

  @Test
  void readsWhatItWrites() throws IOException {
    new Site()
        .set("fs.defaultFS", "hdfs://localhost:1")
        .set("dfs.replication", 2)
        .set(SiteFile.YARN, "mapreduce.shuffle.port", 3)
        .set("a.key", "<&>")
        .write(directory);
    Configuration conf = new Configuration(false);
    Site.read(directory, conf);
    assertEquals("hdfs://localhost:1", conf.get("fs.defaultFS"));
    assertEquals(2, conf.getInt("dfs.replication", 0));
    assertEquals("<&>", conf.get("a.key"));
    assertTrue(
        Files.readString(directory.resolve("yarn-site.xml")).contains("mapreduce.shuffle.port"));
    assertFalse(
        Files.readString(directory.resolve("mapred-site.xml")).contains("mapreduce.shuffle.port"));
  }
}
