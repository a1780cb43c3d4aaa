// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Directories;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The archive and the packages hold what a node needs, with pages whose links resolve; their
 * scripts and units work, and a DataNode runs with the agent from the archive.
 */
class DistributionIT {

  private static final String DASHBOARD = "dist/dashboards/io-priority.json";

  /** All files but the pages of docs, which are those of the repository. */
  private static final Set<String> FILES =
      Set.of(
          "CHANGELOG.md",
          "LICENSE",
          "NOTICE",
          "README.md",
          "SECURITY.md",
          "THREAT_MODEL.md",
          "VERSION",
          "bin/hprio",
          "bin/pbs",
          "conf/hbase-env.sh",
          "conf/hbase-site.xml",
          "conf/hdfs-env.sh",
          "conf/hdfs-site.xml",
          "conf/io-priority-policy.xsd",
          "conf/tenants.xml",
          "dist/alerts/hadoop-prio.rules.yml",
          "dist/ansible/README.md",
          "dist/ansible/off.yml",
          "dist/ansible/on.yml",
          "dist/ansible/region-servers.yml",
          "dist/ansible/remove.yml",
          "dist/ansible/roles/hadoop_prio/defaults/main.yml",
          "dist/ansible/roles/hadoop_prio/files/datanode-state",
          "dist/ansible/roles/hadoop_prio/files/hdfs-state",
          "dist/ansible/roles/hadoop_prio/tasks/before.yml",
          "dist/ansible/roles/hadoop_prio/tasks/doctor.yml",
          "dist/ansible/roles/hadoop_prio/tasks/files.yml",
          "dist/ansible/roles/hadoop_prio/tasks/flag-away.yml",
          "dist/ansible/roles/hadoop_prio/tasks/gate.yml",
          "dist/ansible/roles/hadoop_prio/tasks/groups.yml",
          "dist/ansible/roles/hadoop_prio/tasks/hdfs.yml",
          "dist/ansible/roles/hadoop_prio/tasks/keys.yml",
          "dist/ansible/roles/hadoop_prio/tasks/main.yml",
          "dist/ansible/roles/hadoop_prio/tasks/not-off.yml",
          "dist/ansible/roles/hadoop_prio/tasks/obeyed.yml",
          "dist/ansible/roles/hadoop_prio/tasks/off.yml",
          "dist/ansible/roles/hadoop_prio/tasks/on.yml",
          "dist/ansible/roles/hadoop_prio/tasks/reachable.yml",
          "dist/ansible/roles/hadoop_prio/tasks/reconfigure.yml",
          "dist/ansible/roles/hadoop_prio/tasks/regionserver-doctor.yml",
          "dist/ansible/roles/hadoop_prio/tasks/regionserver.yml",
          "dist/ansible/roles/hadoop_prio/tasks/remove.yml",
          "dist/ansible/roles/hadoop_prio/tasks/state.yml",
          "dist/ansible/roles/hadoop_prio/tasks/take.yml",
          "dist/ansible/roles/hadoop_prio/tasks/validate.yml",
          "dist/ansible/roles/hadoop_prio/vars/main.yml",
          "dist/ansible/roll-out.yml",
          DASHBOARD,
          "dist/puppet/hadoop_prio/files/take",
          "dist/puppet/hadoop_prio/manifests/init.pp",
          "dist/puppet/hadoop_prio/templates/drop-in.epp",
          "dist/puppet/hadoop_prio/templates/keys.xml.epp",
          "hbase-prio.jar",
          "hdfs-prio-agent.jar",
          "lib/hprio-doctor.jar",
          "lib/uninstall.sh",
          "licenses/liburing.txt",
          "native/libhprio_pbs.so",
          "native/pbs/README.md",
          "native/pbs/pbs.1.md",
          "sbin/hprio-pbsd",
          "systemd/hadoop-hdfs-datanode.service.d/hadoop-prio.conf",
          "systemd/hbase-regionserver.service",
          "systemd/hbase-regionserver.service.d/hadoop-prio.conf",
          "systemd/hprio-pbsd.default",
          "systemd/hprio-pbsd.service",
          "udev/60-hadoop-prio.rules",
          "ycsb-binding/README.md");

  /** The target of a relative link in Markdown, without the place within its page. */
  private static final Pattern LINK =
      Pattern.compile("\\]\\((?![a-z]+:|#)([^)#\\s]+)(?:#[^)\\s]*)?(?:\\s+\"[^\"]*\")?\\)");

  private static final Set<String> PROGRAMS = Set.of("bin/hprio", "bin/pbs", "sbin/hprio-pbsd");

  /** The scripts of both packages, as dpkg names them, and the rpm's tag for each. */
  private static final Map<String, String> SCRIPTS =
      Map.of("postinst", "POSTIN", "prerm", "PREUN", "postrm", "POSTUN");

  private static Path work;
  private static Path home;

  @BeforeAll
  static void unpack() throws IOException {
    work = Path.of("target", "it", "distribution").toAbsolutePath();
    Directories.delete(work);
    // The scripts tell their place without symbolic links.
    work = Files.createDirectories(work).toRealPath();
    SystemCommand.run("tar", "-C", work.toString(), "-xzf", archive("tar.gz").toString());
    home = work.resolve("hadoop-prio-" + Installation.version());
  }

  private static Path archive(String ending) throws IOException {
    Path built = Installation.find().home().resolve("dist/target");
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(built, "hadoop-prio-*-linux-*." + ending)) {
      return found.iterator().next();
    }
  }

  private static Set<String> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Set<String> expectedFiles() throws IOException {
    Set<String> expected = new TreeSet<>(FILES);
    files(Installation.find().home().resolve("docs")).forEach(page -> expected.add("docs/" + page));
    return expected;
  }

  private static void checkFiles(Path root) throws IOException {
    Set<String> expected = expectedFiles();
    assertTrue(expected.contains("docs/operations.md"), "docs were not found");
    assertEquals(expected, files(root));
    for (String file : expected) {
      String permissions =
          PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(file)));
      assertEquals(PROGRAMS.contains(file) ? "rwxr-xr-x" : "rw-r--r--", permissions, file);
      assertTrue(Files.size(root.resolve(file)) > 0, () -> file + " is empty");
    }
  }

  @Test
  void theArchiveHasWhatANodeNeeds() throws IOException {
    checkFiles(home);
    String version = Installation.version();
    assertEquals(version, Files.readString(home.resolve("VERSION")).strip());
    assertEquals(version, SystemCommand.run(home.resolve("bin/hprio").toString(), "version"));
    assertTrue(SystemCommand.run(home.resolve("bin/pbs").toString(), "--help").contains("probe"));
    for (String text : expectedFiles()) {
      String all = Files.readString(home.resolve(text), StandardCharsets.ISO_8859_1);
      String built = Installation.find().home().toString();
      assertFalse(text.matches(".*\\.(sh|xml|service|md)") && all.contains(built), text);
    }
  }

  /** Links to other sites, and places within the same page, are left out. */
  @Test
  void everyLinkOfAPageLeadsToAFileOfTheArchive() throws IOException {
    List<String> broken = new ArrayList<>();
    int checked = 0;
    for (String page : files(home)) {
      if (!page.endsWith(".md")) {
        continue;
      }
      Path directory = home.resolve(page).getParent();
      Matcher link = LINK.matcher(Files.readString(home.resolve(page)));
      while (link.find()) {
        checked++;
        Path target = directory.resolve(link.group(1)).normalize();
        if (!target.startsWith(home) || !Files.exists(target)) {
          broken.add(page + ": " + link.group(1));
        }
      }
    }
    assertTrue(checked > 20, "links checked: " + checked);
    assertEquals(List.of(), broken, "broken links");
  }

  @Test
  void theDashboardIsShippedAndIsJson() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(home.resolve(DASHBOARD).toFile());
    assertFalse(dashboard.path("panels").isEmpty(), "a dashboard has panels");
  }

  /** What a package has outside of /opt/hadoop-prio, and where. */
  private static void checkRoot(Path root, String settings) throws IOException {
    checkFiles(root.resolve("opt/hadoop-prio"));
    assertEquals(
        Path.of("/opt/hadoop-prio/bin/hprio"),
        Files.readSymbolicLink(root.resolve("usr/bin/hprio")));
    assertEquals(
        Files.readString(home.resolve("systemd/hprio-pbsd.service")),
        Files.readString(root.resolve("usr/lib/systemd/system/hprio-pbsd.service")));
    assertEquals(
        Files.readString(home.resolve("systemd/hprio-pbsd.default")),
        Files.readString(root.resolve(settings)));
  }

  private static String debVersion() throws IOException {
    return SystemCommand.run("dpkg-deb", "--field", archive("deb").toString(), "Version");
  }

  private static void requireProgram(String program) {
    Need.PROGRAM.require(Files.exists(Path.of("/usr/bin", program)), program);
  }

  @Test
  void theDebianPackageHasTheSameInOpt() throws IOException {
    requireProgram("dpkg-deb");
    String deb = archive("deb").toString();
    assertEquals("hadoop-prio", SystemCommand.run("dpkg-deb", "--field", deb, "Package"));
    Path root = Files.createDirectories(work.resolve("deb"));
    SystemCommand.run("dpkg-deb", "--raw-extract", deb, root.toString());
    checkRoot(root, "etc/default/hprio-pbsd");
    assertEquals(
        "/etc/default/hprio-pbsd", Files.readString(root.resolve("DEBIAN/conffiles")).strip());
    for (String script : SCRIPTS.keySet()) {
      assertTrue(Files.isExecutable(root.resolve("DEBIAN").resolve(script)), script);
    }
    String installs = Files.readString(root.resolve("DEBIAN/postinst"));
    assertTrue(installs.contains("useradd --system"), installs);
    String listed = SystemCommand.run("dpkg-deb", "--contents", deb);
    assertTrue(listed.lines().allMatch(line -> line.contains(" root/root ")), listed);
  }

  private static String rpm(String format) throws IOException {
    return SystemCommand.run(
        "rpm", "--query", "--package", "--queryformat", format, archive("rpm").toString());
  }

  @Test
  void theRpmHasTheSameAsTheDebianPackage() throws IOException {
    requireProgram("rpm");
    requireProgram("dpkg-deb");
    assertEquals("hadoop-prio-" + debVersion() + "-1", rpm("%{NVR}"));
    Path root = Files.createDirectories(work.resolve("rpm"));
    SystemCommand.run(
        "bash",
        "-euo",
        "pipefail",
        "-c",
        "rpm2archive -n - <\"$0\" | tar -x -C \"$1\"",
        archive("rpm").toString(),
        root.toString());
    checkRoot(root, "etc/sysconfig/hprio-pbsd");
    for (Map.Entry<String, String> script : SCRIPTS.entrySet()) {
      Path shared = Installation.find().home().resolve("dist/src/package").resolve(script.getKey());
      assertEquals(
          Files.readString(shared).strip(), rpm("%{" + script.getValue() + "}"), script.getKey());
    }
    assertEquals(
        Set.of("root:root"),
        rpm("[%{FILEUSERNAME}:%{FILEGROUPNAME}\\n]").lines().collect(Collectors.toSet()));
    // c is config, n is noreplace: an upgrade keeps what the operator has written.
    List<String> flagged =
        rpm("[%{FILEFLAGS:fflags}:%{FILENAMES}\\n]")
            .lines()
            .filter(file -> !file.startsWith(":"))
            .collect(Collectors.toList());
    assertEquals(List.of("cn:/etc/sysconfig/hprio-pbsd"), flagged);
  }

  @Test
  void packagesOfASnapshotSortBelowTheRelease() throws IOException {
    requireProgram("rpm");
    requireProgram("dpkg-deb");
    String version = debVersion();
    String release = Installation.version().replace("-SNAPSHOT", "");
    assertTrue(version.matches(Pattern.quote(release) + "(~snapshot\\d{14})?"), version);
    String older = release + "~snapshot20200101000000";
    SystemCommand.run("dpkg", "--compare-versions", version, "le", release);
    SystemCommand.run("dpkg", "--compare-versions", version, "gt", older);
    String compared = "%{lua:print(rpm.vercmp('" + version + "', '%s'))}";
    String below = version.equals(release) ? "0" : "-1";
    assertEquals(below, SystemCommand.run("rpm", "--eval", compared.replace("%s", release)));
    assertEquals("1", SystemCommand.run("rpm", "--eval", compared.replace("%s", older)));
  }

  private static String sourced(Path script, String before, String print) throws IOException {
    return SystemCommand.run(
        "bash", "-euc", before + ". " + script + "; . " + script + "; echo \"" + print + "\"");
  }

  private static Path script(String name) {
    return home.resolve("conf").resolve(name);
  }

  @Test
  void theAgentIsAddedOnceAndOtherOptionsStay() throws IOException {
    String option = "-javaagent:" + home + "/hdfs-prio-agent.jar";
    Path hdfs = script("hdfs-env.sh");
    assertEquals(option, sourced(hdfs, "", "$HDFS_DATANODE_OPTS"));
    assertEquals(
        "-Xmx1g " + option, sourced(hdfs, "HDFS_DATANODE_OPTS=-Xmx1g; ", "$HDFS_DATANODE_OPTS"));
    String other = "-javaagent:/other/hdfs-prio-0.9-agent.jar";
    assertEquals(other, sourced(hdfs, "HDFS_DATANODE_OPTS=" + other + "; ", "$HDFS_DATANODE_OPTS"));
    String old = "HADOOP_DATANODE_OPTS=-Xmx1g; ";
    assertEquals("-Xmx1g " + option, sourced(hdfs, old, "$HADOOP_DATANODE_OPTS"));
    assertEquals("unset", sourced(hdfs, "", "${HADOOP_DATANODE_OPTS-unset}"));
    assertEquals(
        option + " -Xmx2g " + option + " /x.jar:" + home + "/hbase-prio.jar",
        sourced(
            script("hbase-env.sh"),
            "HBASE_MASTER_OPTS=-Xmx2g; HBASE_CLASSPATH=/x.jar; ",
            "$HBASE_REGIONSERVER_OPTS $HBASE_MASTER_OPTS $HBASE_CLASSPATH"));
  }

  /** As when the package is removed before the line in hdfs-env.sh. */
  @Test
  void withoutTheJarTheDaemonStartsWithoutIt() throws IOException {
    for (String name : List.of("hdfs-env.sh", "hbase-env.sh")) {
      Path alone = Files.createDirectories(work.resolve("alone/conf")).resolve(name);
      Files.write(alone, Files.readAllBytes(script(name)));
      String said = sourced(alone, "", "[${HDFS_DATANODE_OPTS:-}${HBASE_REGIONSERVER_OPTS:-}]");
      assertTrue(said.contains("cannot be read"), said);
      assertTrue(said.endsWith("[]"), said);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hprio-pbsd", "hadoop-hdfs-datanode", "hbase-regionserver"})
  void systemdUnderstandsTheUnits(String name) throws IOException {
    requireProgram("systemd-analyze");
    Path units = Files.createDirectories(work.resolve("units"));
    Path unit = units.resolve(name + ".service");
    Path shipped = home.resolve("systemd").resolve(name + ".service");
    Files.writeString(
        unit,
        Files.exists(shipped)
            ? Files.readString(shipped).replace("/opt/hadoop-prio", home.toString())
            : "[Service]\nUser=daemon\nExecStart=/bin/true\n");
    if (!name.equals("hprio-pbsd")) {
      String dropIn = name + ".service.d/hadoop-prio.conf";
      String text = Files.readString(home.resolve("systemd").resolve(dropIn));
      assertTrue(text.contains("[Service]\nAmbientCapabilities=CAP_SYS_NICE\n"), text);
      assertFalse(text.contains("CapabilityBoundingSet"), text);
      Files.createDirectories(units.resolve(dropIn).getParent());
      Files.writeString(units.resolve(dropIn), text);
    }
    String said = SystemCommand.run("systemd-analyze", "verify", "--man=no", unit.toString());
    assertFalse(said.contains(units.toString()), said);
  }

  @Test
  void theCommandOfANodeChecksAPolicy() throws Exception {
    Path policy = work.resolve("policy.xml");
    Files.writeString(
        policy,
        "<io-priority-policy version='7'><rule group='etl' highest='idle'/></io-priority-policy>");
    String said =
        hprio("policy", "check", policy.toString(), "--user=joe", "--group=etl", "--ask=be:0");
    assertTrue(said.contains("mode log, version 7, hash "), said);
    assertTrue(said.contains("\noutcome   lowered: idle, counted in Clamped\n"), said);
    Files.writeString(policy, "<io-priority-policy><rule group='etl'/></io-priority-policy>");
    said = hprio("policy", "check", policy.toString());
    assertTrue(said.contains("line 1: <rule> needs the attribute highest"), said);
  }

  @Test
  void theCommandOfANodeComparesAnotherHadoopAndHBase() throws Exception {
    String jars = Installation.find().jarsWildcard();
    String said = hprio("hooks", "--hadoop", jars, "--hbase", jars);
    assertTrue(said.contains("\nfits     HBase   hbase-prio.jar\n"), said);
    assertTrue(said.endsWith("\n0 of 13 parts would be off\n"), said);
  }

  /** As an operator deploys: the script and the keys of the archive, one volume, then all. */
  @Test
  void aDataNodeObservesAndTheCommandsOfANodeSaySo() throws Exception {
    String option = sourced(script("hdfs-env.sh"), "", "$HDFS_DATANODE_OPTS");
    Configuration shipped = new Configuration(false);
    shipped.addResource(new org.apache.hadoop.fs.Path(script("hdfs-site.xml").toUri()));
    List<String> volumes =
        List.of(work.resolve("data1").toString(), work.resolve("data2").toString());
    try (LocalCluster cluster =
        Clusters.of(DistributionIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .configure(
                Role.DATANODE,
                options -> {
                  options.stock().jvmOption(option);
                  shipped.forEach(key -> options.conf(key.getKey(), key.getValue()));
                  options.conf("dfs.datanode.data.dir", String.join(",", volumes));
                })
            .start()) {
      Daemon dataNode = cluster.daemon(Role.DATANODE);
      int total = Clusters.metric(cluster, dataNode, "HooksTotal").asInt();
      assertTrue(total > 0);
      assertEquals(total, Clusters.metric(cluster, dataNode, "HooksApplied").asInt());
      String said = hprio("doctor", "--http", "127.0.0.1:" + dataNode.port("http"));
      assertTrue(
          said.contains(
              "DataNode "
                  + dataNode.pid().getAsLong()
                  + ": version "
                  + Installation.version()
                  + ", hooks applied "
                  + total
                  + " of "
                  + total),
          said);
      assertTrue(said.matches("(?s).* ok, \\d+ advice, \\d+ problems, \\d+ skipped\\s*"), said);
      // Nothing has been read: a volume is shown from the start on.
      for (String volume : volumes) {
        assertTrue(
            said.contains(volume + ": observe, as configured: stock reads; 0 of 0 would probably"),
            said);
      }
      assertEquals(List.of("observe", "observe"), modes(dataNode, volumes));

      String next = "observe, " + volumes.get(1) + "=turns";
      String status = DiskTimeIT.reconfigure(cluster, SchedulerKeys.MODE.name(), next);
      assertTrue(status.contains("SUCCESS"), status);
      List<String> modes = modes(dataNode, volumes);
      assertEquals("observe", modes.get(0));
      // A disk that does not rotate has order in place of turns.
      String turns = modes.get(1);
      assertTrue(Set.of("turns", "order").contains(turns), modes::toString);

      DiskTimeIT.edit(cluster, SchedulerKeys.MODE.name(), "turns");
      DiskTimeIT.dfsAdmin(cluster, "livenodes", "start");
      for (int i = 0; i < 30 && !modes.equals(List.of(turns, turns)); i++) {
        modes = modes(dataNode, volumes);
      }
      assertEquals(List.of(turns, turns), modes);
    }
  }

  /** The modes in force, as {@code hprio top} shows them. */
  private static List<String> modes(Daemon dataNode, List<String> volumes) throws Exception {
    String top = hprio("top", "--http", "127.0.0.1:" + dataNode.port("http"), "--count", "1");
    assertTrue(top.matches("(?s).*\nvolume +mode .*"), top);
    assertFalse(top.contains("\033"), top);
    List<String> modes = new ArrayList<>();
    for (String volume : volumes) {
      Matcher row = Pattern.compile("\n" + volume + " +(\\S+) ").matcher(top);
      assertTrue(row.find(), top);
      modes.add(row.group(1));
    }
    return modes;
  }

  /** The launcher, with a Hadoop whose command prints a class path. */
  private static String hprio(String... arguments) throws Exception {
    Path hadoop = Files.createDirectories(work.resolve("hadoop/bin")).resolve("hadoop");
    Files.writeString(hadoop, "#!/bin/sh\necho '" + Installation.find().jarsWildcard() + "'\n");
    Files.setPosixFilePermissions(hadoop, PosixFilePermissions.fromString("rwxr-xr-x"));
    ProcessBuilder builder =
        new ProcessBuilder(home.resolve("bin/hprio").toString()).redirectErrorStream(true);
    builder.command().addAll(List.of(arguments));
    builder.environment().put("HADOOP_HOME", work.resolve("hadoop").toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor() <= 1, said);
    return said;
  }
}
