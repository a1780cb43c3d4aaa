// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A second Hadoop in one process, as of an isolated client of Hive in Spark (SPARK-15455). */
class SecondHadoopIT {

  private static final Pattern ALL_APPLIED =
      Pattern.compile("hooks applied (\\d+) of \\1 \\[hdfs-client");

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = Clusters.of(SecondHadoopIT.class).hbase(false).yarn(false).dataNodes(1).start();
    Clusters.output(client(SampleFile.class, "write", "/file", "1"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
  }

  private static ClientCommand client(Class<?> main, String... arguments) throws IOException {
    return cluster.client(main.getName(), arguments).addClassPath(TestClasses.directory());
  }

  /** The second Hadoop's classes and configuration; the agent is not among them. */
  private static String classPath(String version) throws IOException {
    List<Path> entries = new ArrayList<>();
    entries.add(TestClasses.directory());
    entries.addAll(
        version.equals("same") ? Installation.find().jars() : Versions.classPath(version));
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  @ParameterizedTest
  @CsvSource({
    "same, first, isolated",
    "same, last, isolated",
    "3.3.6, first, isolated",
    "3.3.6, last, isolated",
    "same, first, child-first",
    "3.3.6, last, child-first"
  })
  void itReadsAsStockAndTheApplicationsOwnKeepsItsPriority(
      String version, String order, String kind) throws Exception {
    long idle = Clusters.dataNodes(cluster, "GrantedIdle");
    String output =
        Clusters.output(
            client(SecondHadoopMain.class, classPath(version), order, kind, "read", "/file", "1")
                .env("HADOOP_IO_PRIORITY", "idle"));
    assertTrue(ALL_APPLIED.matcher(output).find(), output);
    assertFalse(output.contains("could not be woven") || output.contains("is OFF"), output);
    int own = order.equals("last") ? 2 : 1;
    assertEquals(idle + own, Clusters.dataNodes(cluster, "GrantedIdle"), output);
    assertEquals(1, output.lines().filter(l -> l.contains("stay stock")).count(), output);
  }
}
