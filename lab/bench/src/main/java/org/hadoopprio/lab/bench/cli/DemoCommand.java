// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.hadoopprio.lab.bench.demo.Demo;
import org.hadoopprio.lab.bench.demo.DemoReport;
import org.hadoopprio.lab.bench.demo.DemoSettings;
import org.hadoopprio.lab.bench.experiment.report.FigureImage;
import org.hadoopprio.lab.cluster.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio demo}: HBase reads beside HDFS scans, stock and with hadoop-prio. */
@Command(
    name = "demo",
    description =
        "Starts a cluster on a virtual hard disk (or in a plain directory if there can be none), runs"
            + " YCSB while another client scans 16 HDFS files on the same disk, first on stock Hadoop"
            + " and HBase, then with hadoop-prio (the Gets at rt:0, the scans at idle), and shows"
            + " latencies, the bytes of each priority at the block layer, and a"
            + " picture. Ctrl-C stops and removes all of it.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ReadAheadOption readAhead;
  @Mixin private DriveOption drive;

  @Option(
      names = "--dir",
      paramLabel = "DIRECTORY",
      description = "The cluster's directory (default: .hprio/demo in the project's).")
  private Path directory;

  @Option(
      names = "--keep",
      description = "Leaves the cluster running, even after a failure or Ctrl-C.")
  private boolean keep;

  @Option(names = "--json", paramLabel = "FILE", description = "Also writes the result as JSON.")
  private Path json;

  @Option(
      names = "--seconds",
      paramLabel = "COUNT",
      defaultValue = "40",
      description =
          "How long reads beside the scans are measured with each system, in seconds (default:"
              + " ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--rate",
      paramLabel = "COUNT",
      defaultValue = "18",
      description = "Reads per second, arriving at random (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--table-size",
      paramLabel = "MIB",
      defaultValue = "320",
      description = "The size of the table YCSB reads (default: ${DEFAULT-VALUE}).")
  private int tableSize;

  @Option(
      names = "--file-size",
      paramLabel = "MIB",
      defaultValue = "256",
      description = "The size of each scanned file (default: ${DEFAULT-VALUE}).")
  private int fileSize;

  @Override
  public Integer call() throws IOException {
    readAhead.requireKnown();
    DemoSettings settings = settings();
    Path place = directory != null ? directory : Installation.find().home().resolve(".hprio/demo");
    DemoReport report =
        Demo.run(settings, drive.drive(), place, keep, System.err, Hprio.onTerminal());
    Path picture = place.resolve("demo.png");
    spec.commandLine().getOut().println(report.toText());
    spec.commandLine().getOut().println("picture: " + draw(report, picture));
    spec.commandLine().getOut().flush();
    if (json != null) {
      Files.writeString(json, report.toJson() + System.lineSeparator());
    }
    if (keep) {
      System.err.println(
          "The cluster is still running; \"bin/hprio cluster down --dir " + place + "\" stops it.");
    }
    return 0;
  }

  /** Where it is, or why there is none. */
  private static String draw(DemoReport report, Path picture) {
    try {
      return Files.write(picture, FigureImage.png(report.figures())).toString();
    } catch (IOException e) {
      return "none, " + e.getMessage();
    }
  }

  private DemoSettings settings() {
    try {
      return new DemoSettings(seconds, rate, tableSize, fileSize);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
