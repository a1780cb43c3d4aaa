// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.bed.Drives;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.workload.RandomReaders;
import org.hadoopprio.lab.workload.StreamFiles;

/** Three DataNodes, each on its own disk, with all files on all of them. */
final class FaultsBed extends ClientBed<FaultsSystem> {

  /** A disk does a third of them with ease. */
  static final int READS_PER_SECOND = 30;

  /** What HBase reads for a Get with blocks of 56 KiB. */
  static final int READ_BYTES = 56 << 10;

  /** Each file is read from a DataNode of its own choice at first, so there are many. */
  static final int FILES = 48;

  private static final int DATA_NODES = 3;
  private static final long FILE_BYTES = 16L << 20;
  private static final long DISK_BYTES = 2 * FILES * FILE_BYTES;
  private static final String DIRECTORY = "/late";

  private final int seconds;
  private double p95Ms;
  private Fault fault = Fault.NONE;

  private FaultsBed(LocalCluster cluster, int seconds, StepLog log) throws IOException {
    super(cluster);
    this.seconds = seconds;
    write(log);
    log.say("measuring reads when nothing is wrong");
    ObjectNode fine = measure(EnumNames.text(Fault.NONE), FaultsSystem.STOCK);
    this.p95Ms = fine.at("/client/p95_ms").asDouble();
  }

  /**
   * Starts the cluster, writes the files, and measures how long reads take when nothing is wrong.
   *
   * @param directory the cluster's
   * @param seconds how long a measurement takes
   */
  static FaultsBed start(Path directory, int seconds, StepLog log) throws IOException {
    log.say("starting HDFS");
    return BedClusters.start(
        BedClusters.hdfs(directory, DiskKind.VIRTUAL, DATA_NODES, DISK_BYTES)
            .replication(DATA_NODES)
            .littlePageCache(),
        cluster -> new FaultsBed(cluster, seconds, log));
  }

  private void write(StepLog log) throws IOException {
    log.say("writing files");
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(DIRECTORY);
    LongConsumer progress = progress(log, FILES * FILE_BYTES, "bytes");
    try (FileSystem fs = FileSystem.newInstance(cluster().hadoopConf())) {
      drives().fast(() -> StreamFiles.write(fs, directory, 0, FILES, FILE_BYTES, progress));
    }
  }

  /**
   * The same, with {@code disk_reads} for each of the client's, {@code hedge_ms}, {@code refused}.
   */
  @Override
  protected ObjectNode measured(String condition, FaultsSystem system) throws IOException {
    fault = EnumNames.of(Fault.class, condition);
    cluster().evictPageCache();
    long refused = refused();
    ObjectNode result = measured(client(system), seconds, Optional.empty());
    if (fault == Fault.HUNG) {
      Drives.allowSilence(result, cluster().disks().get(0).directory().getFileName().toString());
    }
    result.put("hedge_ms", p95Ms);
    result.put("disk_reads", (double) diskReads(result) / result.at("/client/reads").asLong());
    return result.put("refused", refused() - refused);
  }

  private ClientCommand client(FaultsSystem system) throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--directory=" + DIRECTORY,
                "--length=" + READ_BYTES,
                "--rate=" + READS_PER_SECOND,
                "--threads=" + CLIENT_THREADS,
                "--seed=" + measurements(),
                "--seconds=" + seconds));
    options.addAll(system.options(p95Ms, CLIENT_THREADS));
    ClientCommand client = cluster().client(RandomReaders.class, options.toArray(String[]::new));
    return system == FaultsSystem.TARGETS ? client : client.agentClassesOnly();
  }

  @Override
  protected void begins() throws IOException {
    drive().set(Map.of("overhead_ns", fault.overhead()));
  }

  /** A drive that hangs answers the command that it has begun with only while it is loaded. */
  @Override
  protected void ends() throws IOException {
    drive().set(Map.of("overhead_ns", Fault.NONE.overhead()));
    if (fault == Fault.HUNG) {
      drive().loading(true);
      drive().loading(false);
    }
  }

  private Vhdd drive() throws IOException {
    return ((VirtualDisk) cluster().disks().get(0)).vhdd();
  }

  private static long diskReads(JsonNode result) {
    long reads = 0;
    for (JsonNode drive : result.path("drives")) {
      for (JsonNode ioClass : drive.path("classes")) {
        if (ioClass.path("operation").asText().equals("read")) {
          reads += ioClass.path("count").asLong();
        }
      }
    }
    return reads;
  }

  private long refused() throws IOException {
    long sum = 0;
    for (Daemon dataNode : cluster().daemons(Role.DATANODE)) {
      sum += cluster().jmx(dataNode, PriorityMBean.OBJECT_NAME).path(0).path("Refused").asLong();
    }
    return sum;
  }
}
