// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopprio.IoRole;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.trace.BlockTrace;
import org.hadoopprio.lab.workload.PaddedText;

/**
 * HDFS with four DataNodes, each on a disk of its own, HBase and YARN, with all that they do at the
 * same time. Not thread-safe, except that {@link #close} may be called by another thread.
 */
final class OwnersBed implements Closeable {

  static final String TEXT_DIRECTORY = "/owners/text";

  /** An erasure-coded block group needs one more than it has blocks, to reconstruct one. */
  private static final int DATA_NODES = 4;

  private static final int REPLICAS = 3;
  private static final long DISK_BYTES = 16L << 30;
  private static final int MIB = 1 << 20;
  private static final String STRIPED_POLICY = "XOR-2-1-1024k";

  private static final long BLOCK_BYTES = 32L * MIB;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long UNBALANCED_SEED = 300;

  private static final int SCANNED_BYTES = 4 * MIB;
  private static final int OPERATION_TIMEOUT_MS = 120_000;
  private static final long POLL_MS = 200;
  private static final long START_TIMEOUT_MS = 120_000;
  private static final long REPAIR_TIMEOUT_MS = 90_000;

  private final OwnersScale scale;
  private final StepLog log;
  private final LocalCluster cluster;
  private final Path logs;
  private final HBaseClients hbase;
  private final Map<String, long[]> files = new ConcurrentHashMap<>();

  private OwnersBed(OwnersScale scale, StepLog log, LocalCluster cluster) throws IOException {
    this.scale = scale;
    this.log = log;
    this.cluster = cluster;
    this.logs = cluster.directory().resolve("logs").resolve("owners");
    Configuration conf = cluster.hbaseConf();
    conf.setInt("hbase.client.operation.timeout", OPERATION_TIMEOUT_MS);
    this.hbase = new HBaseClients(conf, scale);
  }

  /** Starts the cluster and writes all data. */
  static OwnersBed start(Path directory, OwnersScale scale, StepLog log) throws IOException {
    log.say("starting HDFS, HBase and YARN");
    return BedClusters.start(
        BedClusters.hdfs(directory, DiskKind.LOOP, DATA_NODES, DISK_BYTES)
            .hbase(true)
            .yarn(true)
            .replication(REPLICAS)
            // Or nearly all reads would find their data there.
            .littlePageCache()
            // A DataNode that is killed is missed after 16 s, not after 10 min.
            .conf("dfs.heartbeat.interval", "1")
            .conf("dfs.namenode.heartbeat.recheck-interval", "3000")
            .conf("dfs.namenode.redundancy.interval.seconds", "1")
            .conf("dfs.namenode.redundancy.considerLoad", "false")
            // By default 10 replicas, more than there are DataNodes.
            .conf("mapreduce.client.submit.file.replication", Integer.toString(REPLICAS))
            .configure(
                Role.DATANODE,
                o ->
                    o.conf(DataNodeKeys.ROLES.name(), Owner.roles(IoRole.Daemon.DATANODE))
                        .conf("dfs.datanode.directoryscan.interval", "30"))
            .configure(
                Role.REGIONSERVER,
                o ->
                    o.conf(HBaseKeys.ROLES.name(), Owner.roles(IoRole.Daemon.REGIONSERVER))
                        .conf("hbase.rs.evictblocksonclose", "true")
                        .env(
                            CurrentPriority.ENVIRONMENT_VARIABLE,
                            Owner.REGION_SERVER.priority().toString()))
            .configure(
                Role.MASTER,
                o ->
                    o.env(CurrentPriority.ENVIRONMENT_VARIABLE, Owner.MASTER.priority().toString()))
            // Files that a compaction has replaced would fill the disks.
            .configure(
                Role.MASTER,
                o ->
                    o.conf("hbase.master.hfilecleaner.ttl", "1000")
                        .conf("hbase.master.cleaner.interval", "5000"))
            // It reads the files of a job from HDFS before its containers start.
            .configure(
                Role.NODEMANAGER,
                o ->
                    o.agent(true)
                        .env(
                            CurrentPriority.ENVIRONMENT_VARIABLE, Owner.JOB.priority().toString())),
        cluster -> new OwnersBed(scale, log, cluster).prepared());
  }

  private OwnersBed prepared() throws IOException {
    try {
      fill();
      restart();
      return this;
    } catch (IOException | RuntimeException e) {
      hbase.close();
      throw e;
    }
  }

  private void fill() throws IOException {
    log.say("writing tables");
    hbase.fill();
    log.say("writing files");
    try (DistributedFileSystem fs = fileSystem()) {
      for (int i = 0; i < FileClients.SOURCES; i++) {
        try (OutputStream out = fs.create(FileClients.source(i))) {
          write(out, FileClients.source(i).toString(), i, FileClients.SOURCE_MIB);
        }
      }
      fs.enableErasureCodingPolicy(STRIPED_POLICY);
      fs.mkdirs(FileClients.striped().getParent());
      fs.setErasureCodingPolicy(FileClients.striped().getParent(), STRIPED_POLICY);
      try (OutputStream out = fs.create(FileClients.striped())) {
        write(out, FileClients.striped().toString(), FileClients.STRIPED_SEED, scale.stripedMib());
      }
      writeUnbalanced(fs);
      PaddedText.write(
          fs,
          new org.apache.hadoop.fs.Path(TEXT_DIRECTORY),
          (long) scale.textMib() * MIB,
          bytes -> log.at((double) bytes / MIB / scale.textMib(), "text"));
    }
  }

  private DistributedFileSystem fileSystem() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(cluster.hadoopConf());
  }

  private void write(OutputStream out, String path, long seed, int mib) throws IOException {
    KnownData.write(out, seed, 0, mib);
    files.put(path, new long[] {seed, mib});
  }

  /** Something for the balancer to do: two of the DataNodes have more than the others. */
  private void writeUnbalanced(DistributedFileSystem fs) throws IOException {
    InetSocketAddress[] two =
        cluster.daemons(Role.DATANODE).stream()
            .limit(2)
            .map(node -> new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port("data")))
            .toArray(InetSocketAddress[]::new);
    for (int i = 0; i * BLOCK_BYTES < (long) scale.unbalancedMib() * MIB; i++) {
      String path = "/owners/unbalanced/" + i;
      try (OutputStream out =
          fs.create(
              new org.apache.hadoop.fs.Path(path),
              FsPermission.getFileDefault(),
              true,
              BUFFER_BYTES,
              (short) two.length,
              BLOCK_BYTES,
              null,
              two)) {
        write(out, path, UNBALANCED_SEED + i, (int) (BLOCK_BYTES / MIB));
      }
    }
  }

  /**
   * A block scanner begins when its DataNode starts, and then rests for an hour at least. One
   * DataNode is enough to show it.
   */
  private void restart() throws IOException {
    Daemon scanning = cluster.daemons(Role.DATANODE).get(DATA_NODES - 1);
    log.say("restarting " + scanning.name() + " with a block scanner");
    cluster.restart(
        scanning,
        o ->
            o.conf("dfs.datanode.scan.period.hours", "1")
                .conf(
                    "dfs.block.scanner.volume.bytes.per.second", Integer.toString(SCANNED_BYTES)));
    cluster.evictPageCache();
  }

  /** Has everything work at the same time, and says what the disks have seen. */
  ObjectNode run() throws IOException {
    ObjectNode result = new ObjectMapper().createObjectNode();
    RequestTable requests = new RequestTable();
    List<String> clientFailures;
    try (BlockTrace trace = BlockTrace.start(cluster.devices(), requests::add);
        FileClientsProcess clients = new FileClientsProcess(cluster, scale, logs, files);
        Repeated balancer = Repeated.balancer(cluster, logs);
        Repeated job = Repeated.wordCount(cluster, logs)) {
      work(clients, List.of(balancer, job), result);
      log.say("waiting for what is written back");
      Pauses.sleep(TimeUnit.SECONDS.toMillis(scale.writebackSeconds()));
      clientFailures = clients.failures();
      result.put("lost_events", trace.stop().lostEvents());
      result.set("requests", requests.toJson());
      // Whatever the checks find.
      Files.writeString(logs.resolve("requests.json"), result.toPrettyString());
      result.put(
          "pipeline_bytes",
          clients.added().map(disk -> requests.written(disk, Owner.PIPELINE)).orElse(0L));
      result.put("pipeline_file_bytes", (long) scale.openMib() * MIB);
      result.put("balancer_runs", balancer.runs()).put("jobs", job.runs());
      ArrayNode commands = result.putArray("commands");
      Stream.of(balancer, job).map(Repeated::command).forEach(commands::add);
    }
    log.say("checking all that was written");
    checkFiles(clientFailures, result.putObject("files"));
    hbase.check(result.putObject("hbase"));
    checkCounts(result.putObject("counts"));
    return result;
  }

  private void work(FileClientsProcess clients, List<Repeated> repeated, ObjectNode result)
      throws IOException {
    log.say("working");
    long start = System.nanoTime();
    hbase.start();
    Pauses.await("the open file's first half", START_TIMEOUT_MS, () -> clients.pipelines() > 0);
    pauseUntil(start, scale.killSeconds());
    Daemon victim = victim(clients);
    log.say("killing " + victim.name());
    cluster.kill(victim);
    result.put("killed", victim.name());
    clients.say(FileClients.CONTINUE);
    pauseUntil(start, scale.seconds());
    log.say("waiting until nothing has too few replicas");
    result.put("repaired", Pauses.await(REPAIR_TIMEOUT_MS, () -> lowRedundancy() == 0));
    result.put("seconds", (System.nanoTime() - start) / 1e9);
    clients.say(FileClients.END);
    for (Repeated work : repeated) {
      work.end();
    }
    hbase.end();
    clients.awaitEnd();
  }

  private void pauseUntil(long startNanos, int seconds) throws IOException {
    long end = startNanos + TimeUnit.SECONDS.toNanos(seconds);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      log.at(1 - left / 1e9 / scale.seconds(), "working");
      Pauses.sleep(Math.min(POLL_MS, left / 1_000_000 + 1));
    }
  }

  /** A DataNode that has a part of the erasure-coded file, and is in the open file's pipeline. */
  private Daemon victim(FileClientsProcess clients) throws IOException {
    try (DistributedFileSystem fs = fileSystem()) {
      List<String> striped =
          Arrays.asList(fs.getFileBlockLocations(FileClients.striped(), 0, 1)[0].getNames());
      return cluster.daemons(Role.DATANODE).stream()
          // The one with the block scanner lives on.
          .limit(DATA_NODES - 1)
          .filter(node -> clients.firstPipeline().contains(Integer.toString(node.port("data"))))
          .filter(node -> striped.stream().anyMatch(s -> s.endsWith(":" + node.port("data"))))
          .findFirst()
          .orElseThrow();
    }
  }

  private long lowRedundancy() throws IOException {
    return cluster
        .jmx(cluster.daemon(Role.NAMENODE), "Hadoop:service=NameNode,name=FSNamesystemState")
        .path(0)
        .path("UnderReplicatedBlocks")
        .asLong();
  }

  private void checkFiles(List<String> clientFailures, ObjectNode result) throws IOException {
    Map<String, String> failures = new TreeMap<>();
    clientFailures.forEach(failure -> failures.put(failure, "a client has failed"));
    long bytes = 0;
    try (DistributedFileSystem fs = fileSystem()) {
      for (Map.Entry<String, long[]> file : files.entrySet()) {
        long[] known = file.getValue();
        try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(file.getKey()))) {
          KnownData.check(in, known[0], (int) known[1]);
          bytes += known[1] * MIB;
        } catch (IOException e) {
          failures.put(file.getKey(), e.toString());
        }
      }
    }
    result.put("files", files.size()).put("bytes", bytes).put("failures", failures.size());
    failures.forEach(result.putObject("first_failures")::put);
  }

  /** Each line of the text has one word. */
  private void checkCounts(ObjectNode result) throws IOException {
    long lines = 0;
    int outputs = 0;
    int wrong = 0;
    try (DistributedFileSystem fs = fileSystem()) {
      for (FileStatus file : fs.listStatus(new org.apache.hadoop.fs.Path(TEXT_DIRECTORY))) {
        lines += file.getLen() / PaddedText.LINE_BYTES;
      }
      for (FileStatus output : fs.globStatus(new org.apache.hadoop.fs.Path(Repeated.COUNTS, "*"))) {
        if (!fs.exists(new org.apache.hadoop.fs.Path(output.getPath(), "_SUCCESS"))) {
          continue;
        }
        outputs++;
        long sum = 0;
        for (FileStatus part :
            fs.globStatus(new org.apache.hadoop.fs.Path(output.getPath(), "part-*"))) {
          try (BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(fs.open(part.getPath()), StandardCharsets.UTF_8))) {
            sum += in.lines().mapToLong(line -> Long.parseLong(line.split("\t", -1)[1])).sum();
          }
        }
        wrong += sum == lines ? 0 : 1;
      }
    }
    result.put("outputs", outputs).put("failures", wrong);
  }

  @Override
  public void close() throws IOException {
    try {
      hbase.close();
    } finally {
      cluster.close();
    }
  }
}
