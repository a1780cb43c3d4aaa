// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.ycsb.Arrivals;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A client process that makes positioned reads at random places of HDFS files, as a store of
 * records does, and measures how long each takes.
 */
@Command(name = "RandomReaders", mixinStandardHelpOptions = true)
public final class RandomReaders implements Callable<Integer> {

  @Mixin private MeasuredReads measured;

  @Option(names = "--threads", required = true, description = "Reads under way, at most.")
  private int threads;

  @Option(
      names = "--rate",
      description = "Open loop: reads a second, arriving at random. Default: closed loop.")
  private Double rate;

  @Option(names = "--priority", description = "Default: the reads state none.")
  private String priority;

  @Option(names = "--seed", description = "Of the arrivals of an open loop.")
  private long seed;

  private RandomReaders() {}

  /** See {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new RandomReaders()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    // What has been read leaves the DataNode's page cache, so each read reaches the disk.
    try (FileSystem fs = measured.fileSystem(true, threads)) {
      // As HBase does, whose blocks have checksums of their own: HDFS's would cost a second read.
      fs.setVerifyChecksum(false);
      try (RandomPlaces places =
          RandomPlaces.open(
              fs,
              measured.directory(),
              measured.length(),
              priority == null ? null : IoPriority.parse(priority))) {
        measured.report(measure(places));
      }
    }
    return 0;
  }

  private ReadLatencies measure(RandomPlaces places) throws IOException, InterruptedException {
    // The first reads of a process are slow while its classes are loaded.
    places.read();
    ReadLoad load = new ReadLoad(measured.awaitStart());
    return rate == null
        ? load.closed(Collections.nCopies(threads, places::read))
        : load.open(places::read, new Arrivals(rate, seed, 0, 0), threads);
  }
}
