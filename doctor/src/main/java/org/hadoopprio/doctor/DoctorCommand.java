package org.hadoopprio.doctor;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
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
      "Looks at this node for what keeps priorities from its disks: kernel, volumes, I/O schedulers,"
          + " drives, the running DataNode and RegionServer, the agent in them.",
      "Each line is ok, advice or problem, with the command that mends it. It changes nothing. As"
          + " root it sees most.",
      "Ends with 0 when there is no problem, with 1 when there is one, with 2 for bad input."
    },
    mixinStandardHelpOptions = true,
    versionProvider = DoctorCommand.Version.class)
public final class DoctorCommand implements Callable<Integer> {

  private static final String[] SITE_FILES = {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"};

  /** The version this was built as. */
  static final class Version implements CommandLine.IVersionProvider {

    @Override
    public String[] getVersion() {
      return new String[] {"hprio " + DoctorCommand.version()};
    }
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--conf",
      paramLabel = "DIRECTORY",
      description =
          "Where hdfs-site.xml is, for the volumes and the keys; by default the running daemon is"
              + " asked.")
  private Path conf;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description =
          "The web pages of the daemon to look at; by default of a DataNode localhost:9864, or as"
              + " --conf says, of a RegionServer localhost:16030.")
  private String http;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "The daemon's process; by default all DataNodes and RegionServers found.")
  private Long pid;

  @Option(names = "--json", description = "As JSON.")
  private boolean json;

  /** Runs the command alone, as on a node without the rest of the program. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new DoctorCommand()).execute(arguments));
  }

  private static String version() {
    String version = DoctorCommand.class.getPackage().getImplementationVersion();
    return version == null ? "" : version;
  }

  @Override
  public Integer call() throws IOException {
    Doctor doctor = new Doctor(Host.here(), new LinuxCalls(), version());
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
    Configuration read = new Configuration(false);
    boolean found = false;
    for (String name : SITE_FILES) {
      Path file = directory.resolve(name);
      if (Files.isReadable(file)) {
        found = true;
        read.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
    if (!found) {
      throw new ParameterException(
          spec.commandLine(),
          "--conf: " + directory + " has none of " + String.join(", ", SITE_FILES));
    }
    return read;
  }
}
