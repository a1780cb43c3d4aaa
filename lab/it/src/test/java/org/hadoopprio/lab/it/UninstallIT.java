// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.lab.cluster.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hprio uninstall --check} finds in the files and processes of a host, made here. */
class UninstallIT {

  private static final String AGENT = "-javaagent:/opt/hadoop-prio/hdfs-prio-agent.jar";

  @TempDir private Path root;

  /** Status and output of the command. */
  private static final class Answer {

    private final int status;
    private final List<String> lines;

    private Answer(int status, List<String> lines) {
      this.status = status;
      this.lines = lines;
    }

    private String first() {
      return lines.get(0);
    }
  }

  private static Answer hprio(String... arguments) throws IOException, InterruptedException {
    Path program = Installation.find().home().resolve("dist/src/root/bin/hprio");
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("HADOOP_CONF_DIR", "HBASE_CONF_DIR"));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), said.lines().collect(Collectors.toList()));
  }

  private Answer check(String... more) throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of("uninstall", "--check", "--root", root.toString()));
    arguments.addAll(List.of(more));
    return hprio(arguments.toArray(String[]::new));
  }

  /**
   * What was found, without the root and the owners of the processes, which are those of the test.
   */
  private List<String> found(Answer answer) {
    return answer.lines.stream()
        .filter(line -> line.matches("(process|line|key|file) .*"))
        .map(line -> line.replace(root.toString(), "").replaceFirst(" \\(\\w+\\)", ""))
        .collect(Collectors.toList());
  }

  private void write(String file, String... lines) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, List.of(lines));
  }

  private void process(int pid, String program, List<String> arguments, String... environment)
      throws IOException {
    Path directory = Files.createDirectories(root.resolve("proc/" + pid));
    Files.createSymbolicLink(directory.resolve("exe"), Path.of(program));
    Files.writeString(directory.resolve("cmdline"), String.join("\0", arguments) + "\0");
    Files.writeString(directory.resolve("environ"), String.join("\0", environment) + "\0");
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  @Test
  void nothingIsLeftOnAHostWithoutIt() throws Exception {
    process(41, "/jre/bin/java", List.of("java", "org.apache.x.DataNode"), "CLASSPATH=/a.jar");
    write("etc/hadoop/conf/hdfs-env.sh", "# . /opt/hadoop-prio/conf/hdfs-env.sh", "export A=b");
    write(
        "etc/hadoop/conf/hdfs-site.xml",
        "<configuration>" + property("dfs.replication", "3") + "<!-- as before:",
        property("dfs.datanode.io.priority.highest", "rt:0") + " --></configuration>");
    Answer answer = check();
    assertEquals(
        List.of("nothing on this host refers to hadoop-prio; its files can go"), answer.lines);
    assertEquals(0, answer.status);
  }

  @Test
  void everyPlaceIsListedOnce() throws Exception {
    process(
        42,
        "/jre/bin/java",
        List.of("java", "-Xmx1g", AGENT, "org.apache.hadoop.DataNode"),
        "HADOOP_CONF_DIR=/srv/conf");
    process(
        43,
        "/jre/bin/java",
        List.of("java", "org.apache.hadoop.hbase.rest.RESTServer"),
        "CLASSPATH=/x.jar:/opt/hadoop-prio-0.1.0/hbase-prio.jar");
    process(44, "/opt/hadoop-prio/sbin/hprio-pbsd (deleted)", List.of("hprio-pbsd"));
    process(45, "/none/less", List.of("less", AGENT.substring(11)), "HADOOP_IO_PRIORITY=idle");
    write("srv/conf/hadoop-env.sh", "#", " . /opt/hadoop-prio/conf/hdfs-env.sh");
    write(
        "srv/conf/hdfs-site.xml",
        "<configuration>",
        property("dfs.datanode.io.priority.rules", "/etc/rules"),
        property("dfs.replication", "3"),
        "</configuration>");
    write(
        "etc/hbase/conf.dist/hbase-site.xml",
        "<property>",
        "  <name>hbase.coprocessor.region.classes</name>",
        "  <value>org.hadoopprio.hbase.regionserver.IoPriorityObserver</value>",
        "</property>");
    Files.createSymbolicLink(root.resolve("etc/hbase/conf"), Path.of("conf.dist"));
    write("etc/default/hbase", "export HADOOP_IO_PRIORITY=idle");
    write("etc/systemd/system/dn.service.d/hadoop-prio.conf", "[Service]");
    write("etc/systemd/system/dn.service", "Environment=JAVA_TOOL_OPTIONS=" + AGENT);
    write("etc/udev/rules.d/60-hadoop-prio.rules", "# Copy to");
    write("etc/hadoop-prio/off");
    write("etc/default/hprio-pbsd", "A=b");
    Answer answer = check();
    assertEquals(
        List.of(
            "process  42 DataNode: " + AGENT,
            "process  43 RESTServer: its environment has CLASSPATH",
            "process  44 hprio-pbsd: the helper",
            "line     /srv/conf/hadoop-env.sh:2: . /opt/hadoop-prio/conf/hdfs-env.sh",
            "key      /srv/conf/hdfs-site.xml: dfs.datanode.io.priority.rules",
            "key      /etc/hbase/conf/hbase-site.xml: hbase.coprocessor.region.classes",
            "line     /etc/default/hbase:1:export HADOOP_IO_PRIORITY=idle",
            "file     /etc/systemd/system/dn.service",
            "file     /etc/systemd/system/dn.service.d/hadoop-prio.conf",
            "file     /etc/udev/rules.d/60-hadoop-prio.rules",
            "file     /etc/hadoop-prio",
            "file     /etc/default/hprio-pbsd"),
        found(answer));
    assertEquals(1, answer.status);
  }

  @Test
  void otherConfigurationDirectoriesCanBeNamed() throws Exception {
    write("data/conf/mapred-site.xml", property("mapreduce.map.env", "A=" + AGENT));
    assertEquals(0, check().status);
    Answer answer = check("--conf", root.resolve("data/conf").toString());
    assertEquals(List.of("key      /data/conf/mapred-site.xml: mapreduce.map.env"), found(answer));
    assertEquals(1, answer.status);
  }

  @Test
  void theSettingsOfAPackageGoWithIt() throws Exception {
    write("usr/lib/systemd/system/hprio-pbsd.service", "[Service]");
    write("etc/sysconfig/hprio-pbsd", "A=b");
    assertEquals(0, check().status);
    Files.delete(root.resolve("usr/lib/systemd/system/hprio-pbsd.service"));
    assertEquals(List.of("file     /etc/sysconfig/hprio-pbsd"), found(check()));
  }

  @Test
  void badInputIsNamed() throws Exception {
    Answer removes = hprio("uninstall");
    assertEquals(2, removes.status);
    assertTrue(removes.first().contains("removes nothing itself"), removes.first());
    Answer option = check("--purge");
    assertEquals(2, option.status);
    assertTrue(option.first().contains("\"--purge\""), option.first());
    Answer directory = check("--conf", root.resolve("none").toString());
    assertEquals(2, directory.status);
    assertTrue(directory.first().contains("/none: there is no such"), directory.first());
  }
}
