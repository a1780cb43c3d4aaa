// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.ClusterStatus;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Privileges;
import org.hadoopprio.lab.trace.BlockTrace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio cluster}: a local cluster of real daemons. */
@Command(
    name = "cluster",
    description = "Starts, shows and stops a cluster of real daemons on this machine.",
    mixinStandardHelpOptions = true,
    versionProvider = Hprio.Version.class,
    subcommands = {ClusterCommand.Up.class, ClusterCommand.Down.class, ClusterCommand.Status.class})
final class ClusterCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is required: up, down or status");
  }

  /** Where the cluster is; the same for all its commands. */
  static final class Location {

    @Option(
        names = "--dir",
        paramLabel = "DIRECTORY",
        description = "The cluster's directory (default: .hprio/cluster in the project's).")
    private Path directory;

    /** The directory asked for or the default one. */
    Path path() throws IOException {
      return directory != null ? directory : Installation.find().home().resolve(".hprio/cluster");
    }
  }

  /** Which kind of disk the user asks for. */
  enum DiskChoice {
    AUTO,
    LOOP,
    DIR
  }

  /** {@code hprio cluster up}. */
  @Command(
      name = "up",
      description =
          "Starts a cluster and leaves it running. Ctrl-C during the start stops all of it.",
      mixinStandardHelpOptions = true,
      versionProvider = Hprio.Version.class)
  static final class Up implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private Location location;

    @Option(
        names = "--datanodes",
        paramLabel = "COUNT",
        defaultValue = "2",
        description = "How many DataNodes, 1 to 16 (default: ${DEFAULT-VALUE}).")
    private int dataNodes;

    @Option(
        names = "--disk",
        paramLabel = "KIND",
        defaultValue = "auto",
        description =
            "Where blocks are kept: loop (a loop device per DataNode, needs root), dir (plain"
                + " directories), auto (loop as root, else dir; the default).")
    private DiskChoice disk;

    @Option(names = "--no-hbase", description = "Without ZooKeeper, Master and RegionServer.")
    private boolean noHBase;

    @Option(names = "--no-yarn", description = "Without ResourceManager and NodeManager.")
    private boolean noYarn;

    @Option(names = "--stock", description = "Without the agent in any daemon.")
    private boolean stock;

    @Override
    public Integer call() throws IOException {
      if (dataNodes < 1 || dataNodes > 16) {
        throw new ParameterException(
            spec.commandLine(), "--datanodes must be 1 to 16, not " + dataNodes);
      }
      ClusterBuilder builder =
          LocalCluster.builder(location.path())
              .dataNodes(dataNodes)
              .hbase(!noHBase)
              .yarn(!noYarn)
              .disk(diskKind());
      if (stock) {
        builder.stock();
      }
      print(spec, ClusterStatus.of(builder.start()), false);
      return 0;
    }

    private DiskKind diskKind() {
      return switch (disk) {
        case LOOP -> {
          if (!Privileges.isRoot()) {
            throw new ParameterException(
                spec.commandLine(), "--disk loop needs root; use --disk dir or run as root");
          }
          yield DiskKind.LOOP;
        }
        case DIR -> DiskKind.DIR;
        default -> DiskKind.best();
      };
    }
  }

  /** {@code hprio cluster down}. */
  @Command(
      name = "down",
      description =
          "Stops the cluster and removes its data, but keeps the logs. Also cleans up after a cluster"
              + " that was killed.",
      mixinStandardHelpOptions = true,
      versionProvider = Hprio.Version.class)
  static final class Down implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private Location location;

    @Override
    public Integer call() throws IOException {
      BlockTrace.removeLeftovers();
      Optional<LocalCluster> found = LocalCluster.find(location.path(), new Progress(System.err));
      if (found.isEmpty()) {
        spec.commandLine().getOut().println("there is no cluster in " + location.path());
        return 0;
      }
      found.get().stop();
      return 0;
    }
  }

  /** {@code hprio cluster status}. */
  @Command(
      name = "status",
      description = "Shows the daemons. Exits with 0 if all of them run, else with 1.",
      mixinStandardHelpOptions = true,
      versionProvider = Hprio.Version.class)
  static final class Status implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private Location location;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      ClusterStatus status = ClusterStatus.of(LocalCluster.attach(location.path()));
      print(spec, status, json);
      return status.allRunning() ? 0 : 1;
    }
  }

  private static void print(CommandSpec spec, ClusterStatus status, boolean json)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? status.toJson() : status.toTable());
    out.flush();
  }
}
