package org.hadoopprio.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hadoopprio.bench.cluster.Installation;
import org.hadoopprio.bench.demo.Demo;
import org.hadoopprio.bench.demo.DemoReport;
import org.hadoopprio.bench.demo.DemoSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio demo}: real-time HBase reads beside idle MapReduce jobs. */
@Command(
    name = "demo",
    description =
        "Starts a cluster, runs YCSB at rt:0 while wordcount and RowCounter run at idle, and shows"
            + " latencies, the bytes of each priority at the block layer, and the trace of one Get."
            + " Ctrl-C stops and removes all of it.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

  /** Set by bin/hprio: whether standard error is a terminal. */
  private static final String TERMINAL_PROPERTY = "hprio.terminal";

  @Spec private CommandSpec spec;

  @Option(
      names = "--dir",
      paramLabel = "DIRECTORY",
      description = "The cluster's directory (default: .hprio/demo in the project's).")
  private Path directory;

  @Option(
      names = "--keep",
      description = "Leaves the cluster running, also after a failure and Ctrl-C.")
  private boolean keep;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the result as JSON too.")
  private Path json;

  @Option(
      names = "--seconds",
      paramLabel = "COUNT",
      defaultValue = "60",
      description = "How long YCSB reads beside the jobs (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--rate",
      paramLabel = "COUNT",
      defaultValue = "60",
      description = "Reads per second (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--table-size",
      paramLabel = "MIB",
      defaultValue = "320",
      description =
          "The size of the table YCSB reads, RowCounter's is half as large (default:"
              + " ${DEFAULT-VALUE}).")
  private int tableSize;

  @Option(
      names = "--text-size",
      paramLabel = "MIB",
      defaultValue = "192",
      description = "The size of wordcount's text (default: ${DEFAULT-VALUE}).")
  private int textSize;

  @Override
  public Integer call() throws IOException {
    DemoSettings settings = settings();
    Path place = directory != null ? directory : Installation.find().home().resolve(".hprio/demo");
    DemoReport report =
        Demo.run(settings, place, keep, System.err, Boolean.getBoolean(TERMINAL_PROPERTY));
    spec.commandLine().getOut().println(report.toText());
    spec.commandLine().getOut().flush();
    if (json != null) {
      Files.writeString(json, report.toJson() + System.lineSeparator());
    }
    if (keep) {
      System.err.println(
          "The cluster runs on; \"bin/hprio cluster down --dir " + place + "\" stops it.");
    }
    return 0;
  }

  private DemoSettings settings() {
    try {
      return new DemoSettings(seconds, rate, tableSize, textSize);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
