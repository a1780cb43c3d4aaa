// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.io.IOException;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.workload.NumberedRows;
import org.hadoopprio.lab.workload.PaddedText;
import org.hadoopprio.lab.workload.StreamFiles;
import org.hadoopprio.lab.workload.YcsbTables;

/** What loads read and write, made before anything is measured. */
sealed interface Data {

  /** Writes it. */
  void write(LocalCluster cluster, StepLog log) throws IOException;

  private static LongConsumer progress(StepLog log, long all, String what) {
    return done -> log.at((double) done / all, done + " of " + all + " " + what);
  }

  /**
   * A table of numbered rows, whose Gets read the disk, flushed and compacted.
   *
   * @param rows how many
   * @param valueBytes of each row
   * @param between what is written between its regions, an equal part after each, so that the table
   *     is spread over the disk as if it had grown over time
   */
  record Table(String name, int regions, long rows, int valueBytes, Optional<Files> between)
      implements Data {
    @Override
    public void write(LocalCluster cluster, StepLog log) throws IOException {
      log.say("loading table " + name + ", " + ((rows * valueBytes) >> 20) + " MiB");
      YcsbTables tables = new YcsbTables(cluster.hbaseConf());
      tables.createForColdReads(name, regions);
      try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf())) {
        NumberedRows.write(connection, name, rows, valueBytes, progress(log, rows, "rows"));
      }
      log.say("flush and compaction of table " + name);
      tables.settleByRegion(
          name,
          () -> {},
          (region, all) -> {
            if (between.isPresent()) {
              between.get().part(region, all).write(cluster, log);
            }
          });
    }
  }

  /**
   * Files of random bytes in a directory, which follow one another on the disk.
   *
   * @param first the number of the first file, if others of the directory are elsewhere
   * @param bytesEach of each file
   */
  record Files(String directory, int first, int count, long bytesEach) implements Data {
    @Override
    public void write(LocalCluster cluster, StepLog log) throws IOException {
      long all = count * bytesEach;
      log.say("writing files below " + directory + ", " + (all >> 20) + " MiB");
      try (FileSystem fs = FileSystem.newInstance(cluster.writerConf())) {
        StreamFiles.write(
            fs, new Path(directory), first, count, bytesEach, progress(log, all, "bytes"));
      }
    }

    /** One of several equal parts, the first being 0. */
    private Files part(int part, int parts) {
      int begin = count * part / parts;
      return new Files(directory, first + begin, count * (part + 1) / parts - begin, bytesEach);
    }
  }

  /**
   * Text for wordcount, in files of a directory.
   *
   * @param bytes of all files together
   */
  record Text(String directory, long bytes) implements Data {
    @Override
    public void write(LocalCluster cluster, StepLog log) throws IOException {
      log.say("writing text below " + directory + ", " + (bytes >> 20) + " MiB");
      try (FileSystem fs = FileSystem.newInstance(cluster.writerConf())) {
        PaddedText.write(fs, new Path(directory), bytes, progress(log, bytes, "bytes"));
      }
    }
  }
}
