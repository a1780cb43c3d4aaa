// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.tools.doctor.checks.LinuxCalls;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.InstalledVersion;
import org.hadoopprio.tools.node.Report;
import org.hadoopprio.tools.node.SiteFiles;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio doctor}. */
@Command(
    name = "doctor",
    description = {
      "Finds what keeps priorities from taking effect on this node. It checks the kernel, the"
          + " volumes, the I/O schedulers, the drives, the running DataNode and RegionServer, and"
          + " the agent in them.",
      "Each line is ok, advice or problem, with the command that fixes it, or skipped, with what"
          + " the check needs. The doctor changes nothing. It sees most as root.",
      "The exit status is 0 if there is no problem, 1 if there is one, and 2 for invalid input.",
      "This is the same command in the repository's bin/hprio and in a node's hprio."
    },
    mixinStandardHelpOptions = true,
    versionProvider = InstalledVersion.class)
public final class DoctorCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--conf",
      paramLabel = "DIRECTORY",
      description =
          "The directory of hdfs-site.xml, for the volumes and the keys, and of ssl-client.xml; by"
              + " default the running daemon is asked, with the ssl-client.xml of the class path.")
  private Path conf;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description =
          "The address of the daemon's web pages, https://HOST:PORT for HTTPS; by default that of"
              + " --conf or of the site files on the class path.")
  private String http;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description =
          "The daemon's process id; by default all DataNodes and RegionServers of this host.")
  private Long pid;

  @Option(names = "--json", description = "Prints the report as JSON.")
  private boolean json;

  /** Runs the command alone, as a node's {@code hprio} does. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new DoctorCommand()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    Doctor doctor = new Doctor(Host.here(), new LinuxCalls(), InstalledVersion.text());
    if (conf != null) {
      doctor.conf(read(conf));
    }
    Report report = examine(doctor);
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? report.toJson() : report.toText());
    out.flush();
    return report.hasProblems() ? 1 : 0;
  }

  private Report examine(Doctor doctor) {
    try {
      if (http != null) {
        doctor.http(http);
      }
      if (pid != null) {
        doctor.pid(pid);
      }
      return doctor.examine();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Configuration read(Path directory) {
    try {
      return SiteFiles.of(directory);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--conf: " + e.getMessage(), e);
    }
  }
}
