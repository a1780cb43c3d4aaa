// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A client process that shows a user outputs at a rate. For each it needs some random reads of HDFS
 * files, one after the other, as if each place depended on what was read before. An output is due
 * at a fixed time, begins then or when the one before it has ended, and has to be there when the
 * next is due. In the report, a read is an output; {@code in_time_per_s} are those that were there
 * in time.
 */
@Command(name = "RandomOutputs", mixinStandardHelpOptions = true)
public final class RandomOutputs implements Callable<Integer> {

  private static final double MS_PER_SECOND = 1e3;

  @Mixin private MeasuredReads measured;

  @Option(names = "--reads", required = true, description = "Reads of an output.")
  private int reads;

  @Option(names = "--rate", required = true, description = "Outputs a second.")
  private double rate;

  @Option(
      names = "--priority",
      required = true,
      description = "Of the reads, with the latency target of a whole output.")
  private IoPriority priority;

  @Option(
      names = "--together",
      description =
          "The reads of an output have its latency target together. Default: each has an equal part"
              + " of it for itself.")
  private boolean together;

  private RandomPlaces places;

  private RandomOutputs() {}

  /** See {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new RandomOutputs())
            .registerConverter(IoPriority.class, IoPriority::parse)
            .execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (FileSystem fs = measured.fileSystem(true, 1)) {
      // As HBase does, whose blocks have checksums of their own: HDFS's would cost a second read.
      fs.setVerifyChecksum(false);
      // The priority is that of an output's scope.
      try (RandomPlaces opened =
          RandomPlaces.open(fs, measured.directory(), measured.length(), null)) {
        places = opened;
        measured.report(measure());
      }
    }
    return 0;
  }

  private ObjectNode measure() throws IOException, InterruptedException {
    // The first reads of a process are slow while its classes are loaded.
    output(0);
    return toJson(showAll(measured.awaitStart()));
  }

  private ReadLatencies showAll(MeasuredWindow window) throws IOException {
    ReadLatencies latencies = new ReadLatencies(window);
    long periodNanos = (long) (TimeUnit.SECONDS.toNanos(1) / rate);
    for (long due = System.nanoTime(); !window.isOver(due); due += periodNanos) {
      ReadLoad.parkUntil(due);
      long now = System.nanoTime();
      if (window.isOver(now)) {
        latencies.neverBegun(due);
      } else {
        latencies.ended(due, output(TimeUnit.NANOSECONDS.toMillis(now - due)));
      }
    }
    // A process that ends earlier looks as if it had failed.
    ReadLoad.parkUntil(window.endNanos());
    return latencies;
  }

  private ObjectNode toJson(ReadLatencies latencies) {
    ObjectNode json = latencies.toJson();
    long inTime = latencies.countWithin(MS_PER_SECOND / rate);
    json.put("in_time_per_s", inTime / json.path("seconds").asDouble());
    return json;
  }

  /**
   * Reads for one output.
   *
   * @param lateMillis how late it begins; its time is so much shorter
   * @return the bytes read
   */
  private int output(long lateMillis) throws IOException {
    if (!together) {
      return readAll();
    }
    try (PriorityScope scope = PriorityScope.open(priority.after(lateMillis), reads)) {
      return readAll();
    }
  }

  private int readAll() throws IOException {
    int bytes = 0;
    for (int i = 0; i < reads; i++) {
      bytes += read();
    }
    return bytes;
  }

  private int read() throws IOException {
    if (together) {
      return places.read();
    }
    try (PriorityScope scope = PriorityScope.open(part())) {
      return places.read();
    }
  }

  private IoPriority part() {
    return priority.within(Math.max(IoPriority.LEAST_TARGET, priority.targetMillis() / reads));
  }
}
