// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.admit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerLimits;
import org.hadoopprio.simulation.DiskModel;
import org.hadoopprio.tools.node.DaemonPages;
import org.hadoopprio.tools.node.DataNodeVolumes;
import org.hadoopprio.tools.node.InstalledVersion;
import org.hadoopprio.tools.node.SiteFiles;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hprio admit}. */
@Command(
    name = "admit",
    description = {
      "Predicts what a load gets of a volume in mode turns, and whether it fits: whether 99 of 100"
          + " reads of each class with a latency target are answered within it (--late). It runs the"
          + " DataNode's scheduler with the load on a disk in virtual time, and reads nothing from"
          + " the volume.",
      "How long the disk takes is what the DataNode has measured (--http), or what you state"
          + " (--read-ms, --stream-mb-per-s). The scheduler's settings are those of the DataNode,"
          + " else those of the class path.",
      "Not in the prediction: network, RegionServer and its handlers, writes, other processes on"
          + " the disk, engines and drives that know priorities. Each answer ends with how far"
          + " predictions were from measurements.",
      "The exit status is 0 if the load fits, 1 if it does not, and 2 for invalid input or if the"
          + " DataNode cannot tell.",
      "Example: hprio admit --http localhost:9864 --reads rt:0@50ms=30 --streams be:4=8"
    },
    mixinStandardHelpOptions = true,
    versionProvider = InstalledVersion.class)
public final class AdmitCommand implements Callable<Integer> {

  static final double MIN_RATE = 0.1;
  static final double MAX_RATE = 10_000;
  static final int MAX_STREAMS = 1_000;

  private static final int FITS = 0;
  private static final int DOES_NOT_FIT = 1;
  private static final int NO_PREDICTION = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--reads",
      paramLabel = "PRIORITY=RATE",
      description =
          "Short reads of a priority, with or without a latency target, and how many arrive in a"
              + " second, 0.1 to 10000: rt:0@50ms=30. Can be repeated.")
  private List<String> reads = new ArrayList<>();

  @Option(
      names = "--streams",
      paramLabel = "PRIORITY=COUNT",
      description =
          "Sequential readers that read as much as they get, 1 to 1000: be:4=8, idle=16, none=4."
              + " Can be repeated.")
  private List<String> streams = new ArrayList<>();

  @Option(
      names = "--cached",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description =
          "The part of the short reads that the page cache answers, 0 to 100; by default 0.")
  private double cached;

  @Option(
      names = "--second-reads",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description =
          "The part of the short reads after which the client needs another one for the same call,"
              + " within what is left of its target, 0 to 100; by default 0. Its latency is that of"
              + " both.")
  private double secondReads;

  @Option(
      names = "--late",
      paramLabel = "PERCENT",
      defaultValue = "1",
      description =
          "How many reads of a class may miss its target, 0 to 100; by default 1, so that the 99th"
              + " percentile is within it.")
  private double late;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description =
          "The address of the DataNode's web pages, https://HOST:PORT for HTTPS: its measured times"
              + " and its settings are used.")
  private String http;

  @Option(
      names = "--volume",
      paramLabel = "DIRECTORY",
      description = "The volume, if the DataNode has several in mode turns.")
  private String volume;

  @Option(
      names = "--read-ms",
      paramLabel = "MEAN[,DEVIATION]",
      description =
          "How long a random read of 56 KiB takes that the disk does alone, and its standard"
              + " deviation; 0.5 to 1000 ms.")
  private String read;

  @Option(
      names = "--stream-mb-per-s",
      paramLabel = "RATE",
      description =
          "What one stream reads that nothing interrupts; 1 to 10000 MB/s. Without it and without a"
              + " measured rate, streams cannot be predicted.")
  private Double streamRate;

  @Option(
      names = "--turn-overhead-ms",
      paramLabel = "MS",
      description =
          "What the begin of a stream's turn costs, 0 to 1000 ms; by default the positioning of a"
              + " random read.")
  private Double turnOverhead;

  @Option(
      names = "--open-ms",
      paramLabel = "MS",
      description =
          "What a short read needs of the disk before its data to open the block's files, on average"
              + " over all reads, 0 to 1000 ms; by default what was measured, else 0.")
  private Double open;

  @Option(names = "--json", description = "Prints the prediction as JSON.")
  private boolean json;

  /** Where the figures of the disk are from. */
  private String source = "as stated";

  /** Runs the command alone, as a node's {@code hprio} does. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new AdmitCommand()).execute(arguments));
  }

  @Override
  public Integer call() throws JsonProcessingException {
    Prediction.Load load = load();
    DiskModel.Builder disk = stated();
    Configuration conf = SiteFiles.ofClassPath();
    try {
      if (http != null) {
        conf = askDataNode(disk);
      } else if (volume != null) {
        throw refused("--volume", volume, "only with --http");
      }
    } catch (IOException e) {
      spec.commandLine().getErr().println("hprio admit: " + e.getMessage());
      return NO_PREDICTION;
    }
    requireKnown(disk, load);
    DiskModel model = build(disk);
    SchedulerLimits limits = SchedulerLimits.of(conf);
    Prediction prediction = new Prediction(limits, model, load);
    PrintWriter out = spec.commandLine().getOut();
    AdmitAnswer answer = new AdmitAnswer(source, limits, model, prediction);
    out.println(json ? answer.toJson(cached, secondReads) : answer.toText(late));
    out.flush();
    return prediction.fits() ? FITS : DOES_NOT_FIT;
  }

  // ---- input --------------------------------------------------------------------------------

  private ParameterException refused(String option, Object value, String allowed) {
    return new ParameterException(
        spec.commandLine(), option + " = " + value + ": allowed: " + allowed);
  }

  private Prediction.Load load() {
    Prediction.Load load = new Prediction.Load();
    for (String text : reads) {
      IoPriority priority = priority("--reads", text);
      double rate = number("--reads", text, afterEquals(text), MIN_RATE, MAX_RATE, "reads/s");
      requireNew(load.addReads(priority, rate), "--reads", text);
    }
    for (String text : streams) {
      IoPriority priority = priority("--streams", text);
      if (priority.ioClass() == IoClass.REALTIME || priority.hasTarget()) {
        throw refused("--streams", text, "be, be:0 to be:7, idle and none, without a target");
      }
      double count = number("--streams", text, afterEquals(text), 1, MAX_STREAMS, "streams");
      if (count != Math.rint(count)) {
        throw refused("--streams", text, "a whole number of streams");
      }
      requireNew(load.addStreams(priority, (int) count), "--streams", text);
    }
    if (load.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "there is no load: state --reads, --streams or both");
    }
    if (!(cached >= 0 && cached <= 100)) {
      throw refused("--cached", cached, "0 to 100 percent");
    }
    load.setCached(cached / 100);
    if (!(secondReads >= 0 && secondReads <= 100)) {
      throw refused("--second-reads", secondReads, "0 to 100 percent");
    }
    load.setTwice(secondReads / 100);
    if (!(late >= 0 && late <= 100)) {
      throw refused("--late", late, "0 to 100 percent");
    }
    load.setMayBeLate(late / 100);
    return load;
  }

  private IoPriority priority(String option, String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw refused(option, text, "PRIORITY=NUMBER, as in be:4=8");
    }
    try {
      return IoPriority.parse(text.substring(0, equals));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), option + " = " + text + ": " + e.getMessage(), e);
    }
  }

  private static String afterEquals(String text) {
    return text.substring(text.indexOf('=') + 1);
  }

  private double number(
      String option, String value, String number, double least, double greatest, String unit) {
    double found;
    try {
      found = Double.parseDouble(number);
    } catch (NumberFormatException e) {
      found = Double.NaN;
    }
    if (!(found >= least && found <= greatest)) {
      throw refused(
          option,
          value,
          AdmitAnswer.decimal(least) + " to " + AdmitAnswer.decimal(greatest) + " " + unit);
    }
    return found;
  }

  private void requireNew(boolean isNew, String option, String text) {
    if (!isNew) {
      throw refused(option, text, "each priority once");
    }
  }

  /** The disk as far as options say. */
  private DiskModel.Builder stated() {
    DiskModel.Builder disk = new DiskModel.Builder();
    if (read != null) {
      String[] parts = read.split(",", 2);
      double mean =
          number(
              "--read-ms",
              read,
              parts[0],
              DiskModel.MIN_READ_MILLIS,
              DiskModel.MAX_READ_MILLIS,
              "ms");
      disk.read(mean);
      if (parts.length > 1) {
        disk.deviation(number("--read-ms", read, parts[1], 0, mean, "ms for the deviation"));
      }
    }
    if (streamRate != null) {
      disk.streams(
          number(
              "--stream-mb-per-s",
              streamRate.toString(),
              streamRate.toString(),
              DiskModel.MIN_MB_PER_S,
              DiskModel.MAX_MB_PER_S,
              "MB/s"));
    }
    if (turnOverhead != null) {
      String text = turnOverhead.toString();
      disk.turnOverhead(number("--turn-overhead-ms", text, text, 0, 1000, "ms"));
    }
    if (open != null) {
      String text = open.toString();
      disk.open(number("--open-ms", text, text, 0, 1000, "ms"));
    }
    return disk;
  }

  /**
   * Adds what a DataNode has measured.
   *
   * @return its settings
   */
  private Configuration askDataNode(DiskModel.Builder disk) throws IOException {
    DaemonPages pages;
    try {
      pages = new DaemonPages(http);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--http: " + e.getMessage(), e);
    }
    JsonNode found = volume(pages, DataNodeVolumes.read(pages));
    if (found.at("/queue/serviceTimes").isMissingNode()) {
      throw DataNodeVolumes.tooOld(pages, "Volumes/queue/serviceTimes");
    }
    int spindles = found.path("streams").asInt();
    String directory = found.path("volume").asText();
    if (spindles != 1) {
      throw new IOException(
          "volume "
              + directory
              + " lets "
              + spindles
              + " streams read together, as on several disks; a prediction is for one disk");
    }
    disk.measured(DataNodeVolumes.serviceTimes(found));
    source =
        "volume " + directory + " on " + found.path("device").asText() + ", measured by " + pages;
    return pages.conf();
  }

  /** The volume that is meant. */
  private JsonNode volume(DaemonPages pages, JsonNode volumes) throws IOException {
    List<String> turns = new ArrayList<>();
    JsonNode found = null;
    for (JsonNode each : volumes) {
      String directory = each.path("volume").asText();
      boolean inTurns = each.path("mode").asText().equals(VolumeMode.TURNS.toString());
      if (inTurns) {
        turns.add(directory);
      }
      if (volume == null ? inTurns : volume.equals(directory)) {
        found = each;
      }
      if (directory.equals(volume) && !inTurns) {
        String reason = each.path("reason").asText();
        throw new IOException(
            "volume "
                + volume
                + " has mode "
                + each.path("mode").asText()
                + (reason.isEmpty() ? "" : " (" + reason + ")")
                + "; only mode turns can be predicted");
      }
    }
    if (turns.isEmpty()) {
      throw new IOException("the DataNode at " + pages + " has no volume in mode turns");
    }
    if (found == null) {
      throw refused("--volume", volume, String.join(", ", turns));
    }
    if (volume == null && turns.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "the DataNode has several volumes in mode turns; state one: --volume with "
              + String.join(", ", turns));
    }
    return found;
  }

  private void requireKnown(DiskModel.Builder disk, Prediction.Load load) {
    String seen =
        http == null
            ? "state --http, or "
            : "the DataNode has not seen "
                + DiskModel.MIN_SAMPLES
                + " since its start of those that show it; state ";
    if (!disk.knowsReads()) {
      throw new ParameterException(
          spec.commandLine(), "how long a read takes is not known: " + seen + "--read-ms");
    }
    if (load.hasStreams() && !disk.knowsStreams()) {
      throw new ParameterException(
          spec.commandLine(), "how fast streams are is not known: " + seen + "--stream-mb-per-s");
    }
  }

  private DiskModel build(DiskModel.Builder disk) {
    try {
      return disk.build();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(),
          "no such disk: " + e.getMessage() + " (--read-ms, --stream-mb-per-s)",
          e);
    }
  }
}
