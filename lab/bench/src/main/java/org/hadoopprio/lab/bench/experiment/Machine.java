// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.util.VersionInfo;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.disk.SystemCommand;

/** The machine and the versions that results were measured with, without host names. */
final class Machine {

  private static final long KIB_PER_MIB = 1024;
  private static final int COMMIT_DIGITS = 12;

  private Machine() {}

  /** The current machine, for people: names and values. */
  static Map<String, String> describe() throws IOException {
    Map<String, String> about = new LinkedHashMap<>();
    about.put(
        "hadoop-prio", Installation.version() + commit().map(c -> ", commit " + c).orElse(""));
    about.put("Hadoop", VersionInfo.getVersion());
    about.put("HBase", org.apache.hadoop.hbase.util.VersionInfo.getVersion());
    about.put("JVM", System.getProperty("java.vm.name") + " " + Runtime.version());
    about.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    about.put(
        "processor",
        Runtime.getRuntime().availableProcessors()
            + " x "
            + field("/proc/cpuinfo", "model name").orElse(System.getProperty("os.arch")));
    field("/proc/meminfo", "MemTotal").ifPresent(kib -> about.put("memory", mebibytes(kib)));
    return about;
  }

  private static String mebibytes(String kib) {
    return Long.parseLong(kib.replaceAll("\\D", "")) / KIB_PER_MIB + " MiB";
  }

  /** The value of the first line {@code name : value} of a file of procfs. */
  private static Optional<String> field(String file, String name) throws IOException {
    if (!Files.exists(Path.of(file))) {
      return Optional.empty();
    }
    return Files.readAllLines(Path.of(file), StandardCharsets.UTF_8).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst();
  }

  /** The commit that is checked out, where the project's directory is a clone with git at hand. */
  private static Optional<String> commit() {
    String home = System.getProperty(Installation.HOME_PROPERTY);
    if (home == null || !Files.exists(Path.of(home, ".git"))) {
      return Optional.empty();
    }
    try {
      String commit = SystemCommand.run("git", "-C", home, "rev-parse", "HEAD");
      String changes =
          SystemCommand.run("git", "-C", home, "status", "--porcelain", "--untracked-files=no");
      return Optional.of(
          commit.substring(0, COMMIT_DIGITS) + (changes.isEmpty() ? "" : " with changes"));
    } catch (IOException e) {
      // No git, or a clone of another user: the version alone says enough.
      return Optional.empty();
    }
  }
}
