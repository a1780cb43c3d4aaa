// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the built parts of this project are, below the directory that the system property {@value
 * #HOME_PROPERTY} names. Immutable.
 */
public final class Installation {

  /** The system property that holds the home directory. */
  public static final String HOME_PROPERTY = "hprio.home";

  private final Path home;
  private final Properties build;

  private Installation(Path home, Properties build) {
    this.home = home;
    this.build = build;
  }

  /**
   * The installation this JVM was started for.
   *
   * @throws ClusterException if {@value #HOME_PROPERTY} is not set or the project is not built
   */
  public static Installation find() throws IOException {
    String home = System.getProperty(HOME_PROPERTY);
    if (home == null || home.isEmpty()) {
      throw new ClusterException(
          "the system property " + HOME_PROPERTY + " must name the project's directory");
    }
    Installation found =
        new Installation(Path.of(home).toAbsolutePath().normalize(), buildProperties());
    for (Path needed : List.of(found.agentJar(), found.library(), found.hbaseLogging())) {
      if (!Files.exists(needed)) {
        throw new ClusterException(
            needed + " is missing: build the project first (mvn package in " + found.home + ")");
      }
    }
    return found;
  }

  /** The version of this project. */
  public static String version() throws IOException {
    return buildProperties().getProperty("version");
  }

  private static Properties buildProperties() throws IOException {
    Properties build = new Properties();
    try (InputStream in = Installation.class.getResourceAsStream("build.properties")) {
      build.load(in);
    }
    return build;
  }

  /** The project's directory. */
  public Path home() {
    return home;
  }

  /** The agent, which brings all of hdfs-prio. */
  public Path agentJar() {
    return path("agent.jar");
  }

  /** The directory of libhadoop for this machine's processor. */
  public Path nativeDirectory() {
    return path("native").resolve("Linux-" + System.getProperty("os.arch"));
  }

  /** What Hadoop and HBase need to run on the Java version used. */
  public List<String> jvmFlags() {
    return List.of(build.getProperty("jvm.flags").split(" +"));
  }

  /** The java launcher. */
  public Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /** The jars of Hadoop, HBase and this project, without hdfs-prio, which the agent brings. */
  public List<Path> jars() throws IOException {
    return jars(library());
  }

  /** {@link #jars} in one class path entry, for where a list would be too long. */
  public String jarsWildcard() {
    return library() + "/*";
  }

  /**
   * The same for an HBase daemon: with log4j 2, which HBase ships with, in place of the reload4j
   * that Hadoop has. HBase's log-level page works with nothing else.
   */
  public List<Path> hbaseJars() throws IOException {
    return hbaseJars(jars());
  }

  /** The same with the jars of another version. */
  public List<Path> hbaseJars(List<Path> version) throws IOException {
    List<Path> found = new ArrayList<>(jars(hbaseLogging()));
    for (Path jar : version) {
      if (!jar.getFileName().toString().contains("reload4j")) {
        found.add(jar);
      }
    }
    return found;
  }

  /** Where the classes of this module are: a directory or a jar. */
  public Path ownClasses() {
    return classesOf(Installation.class);
  }

  /** Where the classes of another class's module are: a directory or a jar. */
  public static Path classesOf(Class<?> member) {
    try {
      return Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path library() {
    return path("library");
  }

  private Path hbaseLogging() {
    return path("hbase.logging");
  }

  private Path path(String property) {
    return home.resolve(build.getProperty(property));
  }

  private static List<Path> jars(Path directory) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found
          .filter(path -> path.toString().endsWith(".jar"))
          .sorted()
          .collect(Collectors.toList());
    }
  }
}
