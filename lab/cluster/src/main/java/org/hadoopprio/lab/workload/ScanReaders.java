// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.lab.progress.Pauses;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A client process that makes one short scan at a time, with a pause after each, and measures how
 * long each scan takes. A scan is some positioned reads, one after the other, of neighbouring parts
 * of an HDFS file, as HBase makes them for the rows of a scan. Its priority comes from the
 * environment. In the report, a read is a whole scan.
 */
@Command(name = "ScanReaders", mixinStandardHelpOptions = true)
public final class ScanReaders implements Callable<Integer> {

  @Mixin private MeasuredReads measured;

  @Option(names = "--reads", required = true, description = "Reads of a scan, 1 or more.")
  private int reads;

  @Option(
      names = "--pause-ms",
      required = true,
      description = "From the end of a scan to the begin of the next one.")
  private long pauseMillis;

  @Option(names = "--seed", description = "Of the scans' places: the same seed, the same places.")
  private long seed;

  @Option(
      names = "--drop-behind",
      description = "What has been read leaves the DataNode's page cache.")
  private boolean dropBehind;

  ScanReaders() {}

  /** See {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ScanReaders()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (reads < 1) {
      throw new IllegalArgumentException("--reads must be 1 or more, not " + reads);
    }
    try (FileSystem fs = measured.fileSystem(dropBehind, 1)) {
      // As HBase does, whose blocks have checksums of their own: HDFS's would cost a second read.
      fs.setVerifyChecksum(false);
      List<FileStatus> files = measured.files(fs, (long) reads * measured.length());
      if (files.isEmpty()) {
        throw new IOException(
            String.format(
                "no file below %s is long enough for %d reads of %d bytes",
                measured.directory(), reads, measured.length()));
      }
      try (Scans scans = new Scans(fs, files)) {
        // The first reads of a process are slow while its classes are loaded.
        scans.open();
        scans.read();
        ReadLatencies latencies = new ReadLoad(measured.awaitStart()).closed(List.of(scans));
        if (latencies.count() == 0) {
          throw new IOException("no scan began in the measured time: it is too short");
        }
        measured.report(latencies);
      }
    }
    return 0;
  }

  /** Scans at random places. Not thread-safe. */
  private final class Scans implements ReadLoad.Reader, AutoCloseable {

    private final FileSystem fs;
    private final List<FileStatus> files;
    private final Random random = new Random(seed);
    private final byte[] buffer = new byte[measured.length()];
    private FSDataInputStream in;
    private long position;

    Scans(FileSystem fs, List<FileStatus> files) {
      this.fs = fs;
      this.files = files;
    }

    @Override
    public void prepare() throws IOException {
      Pauses.sleep(pauseMillis, "interrupted between scans");
      open();
    }

    /** Goes to another place. */
    void open() throws IOException {
      close();
      FileStatus file = files.get(random.nextInt(files.size()));
      in = fs.open(file.getPath());
      int places = Math.toIntExact(file.getLen() / buffer.length - reads + 1);
      position = (long) random.nextInt(places) * buffer.length;
    }

    @Override
    public int read() throws IOException {
      for (int i = 0; i < reads; i++) {
        in.readFully(position + (long) i * buffer.length, buffer);
      }
      return reads * buffer.length;
    }

    @Override
    public void close() throws IOException {
      if (in != null) {
        in.close();
      }
    }
  }
}
