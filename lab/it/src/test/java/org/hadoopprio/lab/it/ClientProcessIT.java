// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FsShell;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client process with the agent reads and writes on, and says once what is wrong, where a
 * capability, JNA, the agent or its configuration is missing or unusable. The API artifact works
 * with the agent in both class path orders, and without it.
 */
class ClientProcessIT {

  /** Jars of hadoop-prio, and those that it depends on and Hadoop does not. */
  private static final Pattern OWN_OR_BROUGHT =
      Pattern.compile("(hdfs|hbase)-prio|ycsb|doctor|lab-|HdrHistogram|byte-buddy|jna|weak-lock");

  private static final Pattern ALL_APPLIED =
      Pattern.compile("hooks applied (\\d+) of \\1 \\[hdfs-client");

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = Clusters.of(ClientProcessIT.class).hbase(false).yarn(false).dataNodes(1).start();
    Clusters.output(reader("write"));
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

  private static ClientCommand reader(String action) throws IOException {
    return client(SampleFile.class, action, "/file", "2");
  }

  private static List<String> lines(String output, String start) {
    return output.lines().filter(l -> l.startsWith(start)).collect(Collectors.toList());
  }

  @Test
  void withoutAPriorityTheBytesSentAreStockHadoops() throws Exception {
    String stock = Clusters.output(client(SentBytesMain.class).stock());
    String agent = Clusters.output(client(SentBytesMain.class));
    assertTrue(agent.contains("hooks applied"), agent);
    assertTrue(agent.contains("[hdfs-client]"), "no module that a client does not need: " + agent);
    for (String op : List.of("read ", "write ")) {
      assertEquals(1, lines(stock, op).size(), stock);
      assertEquals(lines(stock, op), lines(agent, op));
    }
    String stated = Clusters.output(client(SentBytesMain.class).env("HADOOP_IO_PRIORITY", "rt:3"));
    assertNotEquals(lines(stock, "read "), lines(stated, "read "));
    assertTrue(lines(stated, "read ").get(0).endsWith("8ae0d6fc0f0408011003"), stated);
    assertEquals(lines(stock, "write "), lines(stated, "write "));
  }

  @Test
  void withoutCapSysNiceRealtimeIsServedAtBestEffortAndSaidOnce() throws Exception {
    Clusters.requireRoot("dropping a capability");
    ProcessBuilder builder = client(ThreadPriorityMain.class, "rt:0").toProcessBuilder();
    builder.command().addAll(0, List.of("setpriv", "--bounding-set", "-sys_nice,-sys_admin"));
    String output = Clusters.output(builder);
    assertEquals(List.of("applied=be:0", "applied=be:0"), lines(output, "applied="), output);
    assertEquals(List.of("denied=2"), lines(output, "denied="), output);
    assertEquals(1, output.lines().filter(l -> l.contains("CAP_SYS_NICE")).count(), output);
  }

  /** As in an application that ships the library by itself, without what it depends on. */
  @Test
  void anAgentThatCannotStartIsSaidAndTheProcessGoesOn() throws Exception {
    Path target = Installation.find().home().resolve("hdfs-prio/target");
    Path plain = target.resolve("hdfs-prio-" + Installation.version() + ".jar");
    assertTrue(Files.exists(plain), plain.toString());
    List<Path> classPath = new ArrayList<>();
    classPath.add(plain);
    classPath.addAll(Installation.find().jars());
    classPath.add(TestClasses.directory());
    String output = Clusters.output(reader("read").classPath(classPath));
    assertTrue(output.contains("agent is not active in this process"), output);
  }

  /** As in Spark: Hadoop's client in two jars, in which what it depends on has other names. */
  @Test
  void aClientOfTheShadedLibrariesStatesItsPriority() throws Exception {
    long realtime = Clusters.dataNodes(cluster, "GrantedRealtime");
    List<Path> classPath = ShadedClients.hadoop();
    classPath.add(TestClasses.directory());
    String output =
        Clusters.output(reader("read").classPath(classPath).env("HADOOP_IO_PRIORITY", "rt:3"));
    assertTrue(ALL_APPLIED.matcher(output).find(), output);
    assertEquals(realtime + 1, Clusters.dataNodes(cluster, "GrantedRealtime"));
  }

  @Test
  void anOlderJnaOnTheClassPathWillDo() throws Exception {
    List<Path> classPath = new ArrayList<>();
    classPath.add(Installation.find().home().resolve("lab/cluster/target/lib-old-jna/jna.jar"));
    assertTrue(Files.exists(classPath.get(0)), classPath.toString());
    classPath.addAll(Installation.find().jars());
    classPath.add(TestClasses.directory());
    String output = Clusters.output(client(ThreadPriorityMain.class, "idle").classPath(classPath));
    assertEquals(List.of("applied=idle", "applied=idle"), lines(output, "applied="), output);
  }

  @Test
  void withoutJnaReadsGoOnAndItIsSaidOnce() throws Exception {
    // As on a host whose temporary directory is mounted noexec: JNA has no library to load.
    String output =
        Clusters.output(
            client(ThreadPriorityMain.class, "idle")
                .jvmOption("-Djna.nounpack=true")
                .jvmOption("-Djna.nosys=true"));
    assertEquals(List.of("applied=null", "applied=null"), lines(output, "applied="), output);
    assertEquals(List.of("failed=2"), lines(output, "failed="), output);
    assertEquals(
        1, output.lines().filter(l -> l.contains("priorities are not set")).count(), output);
    Clusters.output(reader("read").jvmOption("-Djna.nounpack=true").jvmOption("-Djna.nosys=true"));
  }

  @ParameterizedTest
  @CsvSource({"noexec, failed to map segment from shared object", "ro, is not writable"})
  void whereJnaCannotUnpackReadsGoOnAndItIsSaidOnce(String option, String why) throws Exception {
    Clusters.requireRoot("mounting a tmpfs");
    Path directory = Path.of("target", "it", "jna-" + option).toAbsolutePath();
    Files.createDirectories(directory);
    SystemCommand.run("mount", "-t", "tmpfs", "-o", option, "hprio-jna", directory.toString());
    try {
      String output =
          Clusters.output(
              client(ThreadPriorityMain.class, "idle").jvmOption("-Djna.tmpdir=" + directory));
      assertEquals(List.of("applied=null", "applied=null"), lines(output, "applied="), output);
      assertEquals(
          1,
          output
              .lines()
              .filter(
                  l ->
                      l.contains(
                              "I/O priorities are not set in this process: JNA or its native"
                                  + " library is not usable")
                          && l.contains(why))
              .count(),
          output);
    } finally {
      SystemCommand.run("umount", directory.toString());
    }
  }

  @Test
  void aMalformedVariableIsSaidOnceAndTheReadGoesOn() throws Exception {
    String output = Clusters.output(reader("read").env("HADOOP_IO_PRIORITY", "turbo"));
    List<String> said =
        output.lines().filter(l -> l.contains("turbo")).collect(Collectors.toList());
    assertEquals(1, said.size(), output);
    assertTrue(said.get(0).contains("HADOOP_IO_PRIORITY"), output);
    assertTrue(said.get(0).contains("rt:0 to rt:7"), output);
  }

  /** The hdfs dfs command, as with the agent in HADOOP_CLIENT_OPTS. */
  private static ClientCommand shell(String priority, String... command) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-D", "dfs.client.io.priority=" + priority));
    arguments.addAll(List.of(command));
    return cluster
        .client(FsShell.class.getName(), arguments.toArray(new String[0]))
        .addClassPath(TestClasses.directory());
  }

  /** Runs a shell's -cat and returns what it has logged. */
  private static String cat(String priority, Path to) throws Exception {
    Path log = to.resolveSibling("log");
    Process process =
        shell(priority, "-cat", "/file")
            .toProcessBuilder()
            .redirectOutput(to.toFile())
            .redirectError(log.toFile())
            .start();
    assertTrue(process.waitFor(2, TimeUnit.MINUTES), "the shell did not end");
    String said = Files.readString(log);
    assertEquals(0, process.exitValue(), said);
    return said;
  }

  @Test
  void theShellReadsAndWritesAtThePriorityOfItsOption(@TempDir Path directory) throws Exception {
    Clusters.requireRoot("a block trace");
    Clusters.requireBlockTrace(cluster);
    Path read = directory.resolve("read");
    IoPriority rt0 = IoPriority.realtime(0);
    Clusters.assertNearlyAll(
        rt0, 2L * Clusters.MIB, Clusters.traced(cluster, () -> cat("rt:0", read)));
    assertEquals(2L * Clusters.MIB, Files.size(read));
    Path large = directory.resolve("large");
    Files.write(large, new byte[32 * Clusters.MIB]);
    BlockTraceSummary seen =
        Clusters.traced(
            cluster, () -> Clusters.output(shell("idle", "-put", "-f", large.toString(), "/put")));
    // The last part is still in the page cache when the file is closed.
    assertTrue(seen.writes(IoPriority.IDLE).bytes() >= 16L * Clusters.MIB, seen.toString());
    assertEquals(
        "33554432",
        Clusters.output(shell("none", "-stat", "%b", "/put")).lines().reduce("", (a, b) -> b));
  }

  /** As everywhere: it reads, at the normal priority. */
  @Test
  void theShellSaysWhichOptionIsMalformedAndReads(@TempDir Path directory) throws Exception {
    Path read = directory.resolve("read");
    long asked = Clusters.dataNodes(cluster, "Asked");
    String said = cat("turbo", read);
    assertEquals(2L * Clusters.MIB, Files.size(read));
    assertEquals(asked, Clusters.dataNodes(cluster, "Asked"));
    List<String> lines = said.lines().filter(l -> l.contains("turbo")).collect(Collectors.toList());
    assertEquals(1, lines.size(), said);
    for (String part : List.of("dfs.client.io.priority", "rt:0 to rt:7", "normal priority")) {
      assertTrue(lines.get(0).contains(part), said);
    }
  }

  @Test
  void aMalformedAgentArgumentIsSaidAndIgnored() throws Exception {
    ProcessBuilder builder = reader("read").toProcessBuilder();
    builder.command().replaceAll(a -> a.startsWith("-javaagent:") ? a + "=turbo" : a);
    String output = Clusters.output(builder);
    assertTrue(output.contains("\"turbo\" is not allowed"), output);
  }

  @Test
  void theAgentGivenTwiceWorksOnce() throws Exception {
    ProcessBuilder builder = reader("read").toProcessBuilder();
    String agent =
        builder.command().stream().filter(a -> a.startsWith("-javaagent:")).findFirst().get();
    builder.command().add(1, agent);
    String output = Clusters.output(builder);
    assertTrue(output.contains("given twice"), output);
    assertEquals(1, output.lines().filter(l -> l.contains("hooks applied")).count(), output);
  }

  /** The application's class path, before Hadoop, and which jar the API must then come from. */
  @ParameterizedTest
  @CsvSource({"api, api", "api agent, api", "agent api, agent"})
  void theApiAndTheAgentWorkTogetherInBothClassPathOrders(String order, String provider)
      throws Exception {
    long stated = Clusters.dataNodes(cluster, "Asked");
    long idle = Clusters.dataNodes(cluster, "GrantedIdle");
    long realtime = Clusters.dataNodes(cluster, "GrantedRealtime");
    String output = Clusters.output(application(order));
    assertEquals(List.of("api=" + jar(provider)), lines(output, "api="), output);
    assertEquals(1, output.lines().filter(l -> l.contains("hooks applied")).count(), output);
    assertEquals(stated + 2, Clusters.dataNodes(cluster, "Asked"));
    assertEquals(idle + 1, Clusters.dataNodes(cluster, "GrantedIdle"));
    assertEquals(realtime + 1, Clusters.dataNodes(cluster, "GrantedRealtime"));
  }

  /** The API needs nothing but Hadoop; without the agent its reads are stock Hadoop's. */
  @ParameterizedTest
  @CsvSource({"api, api", "api agent, api", "agent api, agent"})
  void withoutTheAgentAtWorkTheApiReadsNormally(String order, String provider) throws Exception {
    long stated = Clusters.dataNodes(cluster, "Asked");
    String output = Clusters.output(application(order).stock());
    assertEquals(List.of("api=" + jar(provider)), lines(output, "api="), output);
    assertEquals(stated, Clusters.dataNodes(cluster, "Asked"));
  }

  private static ClientCommand application(String order) throws IOException {
    List<Path> classPath = new ArrayList<>();
    for (String name : order.split(" ", -1)) {
      classPath.add(jar(name));
    }
    for (Path jar : Installation.find().jars()) {
      if (!OWN_OR_BROUGHT.matcher(jar.getFileName().toString()).lookingAt()) {
        classPath.add(jar);
      }
    }
    classPath.add(TestClasses.directory());
    return client(ApiReads.class, "/file", String.valueOf(Clusters.MIB)).classPath(classPath);
  }

  private static Path jar(String name) throws IOException {
    return name.equals("api") ? ApiArtifacts.hdfsApi() : Installation.find().agentJar();
  }
}
