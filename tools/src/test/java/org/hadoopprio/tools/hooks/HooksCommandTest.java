// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.hooks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The comparison with the Hadoop and HBase of the build, and with others that lack something. */
class HooksCommandTest {

  /** As {@code hadoop classpath} prints it. */
  private static final String OF_BUILD =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new HooksCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private JsonNode part(String name) throws IOException {
    for (JsonNode part : new ObjectMapper().readTree(out.toString()).path("parts")) {
      if (part.path("part").asText().equals(name)) {
        return part;
      }
    }
    throw new AssertionError(name + " is not in " + out);
  }

  /** The class path of a version that has, in place of some classes, such without methods. */
  private String without(String... types) throws IOException {
    Path other = directory.resolve("other");
    for (String type : types) {
      new ByteBuddy().makeInterface().name(type).make().saveIn(other.toFile());
    }
    return other + ":" + OF_BUILD;
  }

  @Test
  void theHadoopAndTheHBaseOfTheBuildFit() {
    assertEquals(0, run("--hadoop", OF_BUILD, "--hbase", OF_BUILD), () -> out + "" + err);
    List<String> lines = out.toString().lines().collect(Collectors.toList());
    assertEquals("0 of 13 parts would be off", lines.get(lines.size() - 1));
    assertTrue(lines.contains("fits     HBase   hbase-prio.jar"), out::toString);
    assertTrue(
        lines.stream()
            .anyMatch(
                line ->
                    line.matches(
                        "fits     Hadoop  datanode \\(\\d+ hooks, hadoop-hdfs-3\\S+\\.jar\\)")),
        out::toString);
    assertEquals(13, lines.stream().filter(line -> line.startsWith("fits ")).count());
  }

  @Test
  void aHookThatDoesNotFitIsNamedWithWhatIsOffForIt() throws IOException {
    String receiver = "org.apache.hadoop.hdfs.server.datanode.BlockReceiver";
    String other = without(receiver);
    assertEquals(1, run("--hadoop", other, "--json"), err::toString);
    assertEquals("off", part("datanode").path("state").asText());
    String misfit = part("datanode").path("misfits").path(0).asText();
    assertTrue(misfit.startsWith("receive-block: " + receiver + " has 0 methods"), misfit);
    assertEquals(
        "it needs module datanode, which would be off",
        part("scheduler").path("misfits").path(0).asText());
    assertEquals("fits", part("hdfs-client").path("state").asText());

    assertEquals(1, run("--hadoop", other));
    assertTrue(
        out.toString()
            .contains("-> every read and write of this DataNode is done at the normal priority"),
        out::toString);
    assertTrue(out.toString().contains("5 of 7 parts would be off"), out::toString);
  }

  /** What an HBase without attributes lacks. */
  @Test
  void anHBaseThatTheCoprocessorDoesNotFitIsFound() throws IOException {
    assertEquals(1, run("--hbase", without("org.apache.hadoop.hbase.ipc.RpcCall"), "--json"));
    assertEquals("off", part("hbase-prio.jar").path("state").asText());
    String misfit = part("hbase-prio.jar").path("misfits").path(0).asText();
    assertTrue(misfit.startsWith("it lacks "), misfit);
    assertTrue(misfit.contains("getRequestAttribute"), misfit);
  }

  /** One that runs with hadoop-prio has its jar on the class path, of whatever version. */
  @Test
  void theJarOfTheCommandIsComparedAndNoOther() throws IOException {
    String other = without("org.hadoopprio.hbase.regionserver.HBaseFit");
    assertEquals(0, run("--hbase", other), () -> out + "" + err);
  }

  /** The jars of a program that is only a client, such as Spark's. */
  @Test
  void whatIsNotThereIsNotOff() throws IOException {
    Path jars = Files.createDirectories(directory.resolve("jars"));
    for (String entry : OF_BUILD.split(":", -1)) {
      if (entry.matches(".*/hadoop-(common|hdfs-client)-[^/]*\\.jar")) {
        Files.createSymbolicLink(jars.resolve(Path.of(entry).getFileName()), Path.of(entry));
      }
    }
    assertEquals(0, run("--hadoop", jars.toString(), "--json"), err::toString);
    assertEquals("fits", part("hdfs-client").path("state").asText());
    assertEquals("absent", part("datanode").path("state").asText());
  }

  @Test
  void aDistributionIsReadAsItsDaemonsReadIt() throws IOException {
    List<String> files =
        List.of(
            "share/hadoop/common/hadoop-common-1.jar",
            "share/hadoop/common/lib/guava-1.jar",
            "share/hadoop/hdfs/hadoop-hdfs-1.jar",
            "share/hadoop/hdfs/lib/netty-1.jar");
    List<String> others =
        List.of("share/hadoop/client/hadoop-client-api-1.jar", "share/hadoop/common/README.txt");
    for (String file :
        (Iterable<String>) Stream.of(files, others).flatMap(List::stream)::iterator) {
      Path created = directory.resolve(file);
      Files.createDirectories(created.getParent());
      if (file.endsWith(".jar")) {
        new JarOutputStream(Files.newOutputStream(created), new Manifest()).close();
      } else {
        Files.createFile(created);
      }
    }
    List<Path> expected = new ArrayList<>(List.of(directory));
    files.forEach(file -> expected.add(directory.resolve(file)));
    List<Path> found = new ArrayList<>();
    JarPath.parse(directory.toString()).forEach(url -> found.add(Path.of(url.getPath())));
    assertEquals(
        expected.stream().sorted().collect(Collectors.toList()),
        found.stream().sorted().collect(Collectors.toList()));
    // As "hbase classpath" begins on each Java.
    assertEquals(
        1, JarPath.parse("/no-java/lib/tools.jar:" + directory + "/share/hadoop/hdfs/*").size());
  }

  @Test
  void oneOfBothIsRequired() {
    assertEquals(2, run());
    assertTrue(err.toString().startsWith("--hadoop, --hbase, or both are required"), err::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--hadoop", "--hbase"})
  void aPathThatHoldsNoneIsRefused(String option) {
    assertEquals(2, run(option, "/nowhere"));
    assertTrue(
        err.toString().startsWith(option + ": there is no directory or jar /nowhere; allowed: "),
        err::toString);
    assertEquals(2, run(option, directory.toString()));
    assertTrue(err.toString().contains(": in it are no classes of H"), err::toString);
    assertFalse(out.toString().contains("fits"), out::toString);
  }

  /** All else fits, and Java would pass over it. */
  @ParameterizedTest
  @ValueSource(strings = {"missing", "missing.jar", "missing/*", "empty/*", "broken.jar", "links"})
  void anEntryThatCannotBeReadIsRefused(String name) throws IOException {
    Files.createDirectories(directory.resolve("empty"));
    Files.writeString(directory.resolve("broken.jar"), "no jar");
    Path links = Files.createDirectories(directory.resolve("links"));
    Files.createSymbolicLink(links.resolve("dangling.jar"), directory.resolve("nowhere.jar"));
    String entry = directory + "/" + name;
    assertEquals(2, run("--hadoop", OF_BUILD + ":" + entry), () -> out + "" + err);
    String said = err.toString().lines().findFirst().orElse("");
    assertTrue(said.startsWith("--hadoop: ") && said.contains(entry), said);
  }

  /** Its RegionServers read with the HDFS client of an HBase that brings none. */
  @Test
  void anHBaseWithoutHadoopNeedsOne() throws IOException {
    Path jars = Files.createDirectories(directory.resolve("jars"));
    for (String entry : OF_BUILD.split(":", -1)) {
      if (entry.matches(".*/hbase-[^/]*\\.jar")) {
        Files.createSymbolicLink(jars.resolve(Path.of(entry).getFileName()), Path.of(entry));
      }
    }
    assertEquals(2, run("--hbase", jars.toString()), () -> out + "" + err);
    assertTrue(err.toString().contains("name its Hadoop with --hadoop"), err::toString);
  }

  @Test
  void aClassFileThatCannotBeReadIsToldWithoutAStackTrace() throws IOException {
    Path broken = directory.resolve("org/apache/hadoop/hdfs/DFSInputStream.class");
    Files.createDirectories(broken.getParent());
    Files.writeString(broken, "no class file");
    assertEquals(2, run("--hadoop", directory + ":" + OF_BUILD), () -> out + "" + err);
    assertTrue(err.toString().startsWith("hprio hooks: cannot compare: "), err::toString);
    assertEquals(1, err.toString().lines().count(), err::toString);
  }
}
