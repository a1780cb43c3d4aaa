package org.hadoopprio.bench.it;

import static org.hadoopprio.bench.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.IoPriority;
import org.hadoopprio.bench.cluster.Daemon;
import org.hadoopprio.bench.cluster.Installation;
import org.hadoopprio.bench.cluster.LocalCluster;
import org.hadoopprio.bench.cluster.Role;
import org.hadoopprio.config.HdfsKeys;
import org.hadoopprio.hdfs.client.PriorityReads;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real-time readers that never pause, beside idle scans, on a real DataNode whose disk serves
 * strict classes ({@link StrictDisk}); and the share changed while it runs.
 */
class RealtimeShareIT {

  private static final String SHARE = HdfsKeys.DATANODE_REALTIME_SHARE.name();
  private static final String EXCESS = HdfsKeys.DATANODE_REALTIME_EXCESS.name();
  private static final IoPriority RT3 = IoPriority.realtime(3);
  private static final Path FILE = new Path("/file");
  private static final int FILE_MIB = 16;
  private static final int GET_BYTES = 48 * 1024;
  private static final int READERS = 4;
  private static final long LOAD_MILLIS = 3_000;

  private static LocalCluster cluster;
  private static Daemon dataNode;

  /** What a mixed load got done. */
  private static final class Done {
    final AtomicLong realtimeReads = new AtomicLong();
    final AtomicLong idleReads = new AtomicLong();

    double realtimeShare() {
      return realtimeReads.get() / (double) (realtimeReads.get() + idleReads.get());
    }

    @Override
    public String toString() {
      return realtimeReads + " real-time reads, " + idleReads + " idle";
    }
  }

  @BeforeAll
  static void start() throws Exception {
    List<java.nio.file.Path> classPath = new ArrayList<>();
    classPath.add(
        StrictDisk.writeTo(java.nio.file.Path.of("target", "it", "strict-disk").toAbsolutePath()));
    classPath.add(TestClasses.directory());
    classPath.addAll(Installation.find().jars());
    cluster =
        Clusters.of(RealtimeShareIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .configure(
                Role.DATANODE,
                o ->
                    o.classPath(classPath)
                        .conf("dfs.datanode.enable.fileio.fault.injection", "true"))
            .start();
    dataNode = cluster.daemon(Role.DATANODE);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      SampleFile.write(fs, FILE, FILE_MIB);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
  }

  private static long metric(String name) throws IOException {
    return Clusters.dataNodes(cluster, name);
  }

  private static String reconfigure(String key, String value) throws Exception {
    return reconfigure(cluster, key, value);
  }

  /** As an operator does: edits the file, starts a reconfiguration, and asks how it went. */
  private static String reconfigure(LocalCluster cluster, String key, String value)
      throws Exception {
    Daemon dataNode = cluster.daemon(Role.DATANODE);
    java.nio.file.Path site = dataNode.confDirectory().resolve("hdfs-site.xml");
    Configuration conf = new Configuration(false);
    conf.addResource(new Path(site.toUri()));
    conf.set(key, value);
    try (OutputStream out = Files.newOutputStream(site)) {
      conf.writeXml(out);
    }
    dfsAdmin(cluster, "start");
    String status = dfsAdmin(cluster, "status");
    while (!status.contains("finished")) {
      Thread.sleep(200);
      status = dfsAdmin(cluster, "status");
    }
    return status;
  }

  private static String dfsAdmin(LocalCluster cluster, String action) throws Exception {
    String address = "127.0.0.1:" + cluster.daemon(Role.DATANODE).port("ipc");
    return Clusters.output(
        cluster.client(
            "org.apache.hadoop.hdfs.tools.DFSAdmin", "-reconfig", "datanode", address, action));
  }

  /** The load: each reader has one read outstanding all the time. */
  private static Done load(int realtimeReaders, int idleReaders) throws Exception {
    Done done = new Done();
    AtomicBoolean end = new AtomicBoolean();
    ExecutorService readers = Executors.newFixedThreadPool(realtimeReaders + idleReaders);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < realtimeReaders + idleReaders; i++) {
        boolean realtime = i < realtimeReaders;
        IoPriority priority = realtime ? RT3 : IoPriority.IDLE;
        AtomicLong reads = realtime ? done.realtimeReads : done.idleReads;
        running.add(
            readers.submit(
                () -> {
                  read(fs, priority, reads, end);
                  return null;
                }));
      }
      Thread.sleep(LOAD_MILLIS);
      end.set(true);
      for (Future<?> reader : running) {
        reader.get(1, TimeUnit.MINUTES);
      }
    } finally {
      readers.shutdownNow();
    }
    return done;
  }

  private static void read(FileSystem fs, IoPriority priority, AtomicLong reads, AtomicBoolean end)
      throws IOException {
    byte[] buffer = new byte[GET_BYTES];
    try (FSDataInputStream in = fs.open(FILE)) {
      while (!end.get()) {
        // Within one packet, which begins where the client's read does.
        long position = ThreadLocalRandom.current().nextLong(FILE_MIB * 16L) * (MIB / 16);
        PriorityReads.readFully(in, position, buffer, 0, GET_BYTES, priority);
        reads.incrementAndGet();
      }
    }
  }

  @Test
  void aShareOfTheDiskIsLeftToTheOthersAndTheShareIsChangedLive() throws Exception {
    assertTrue(dfsAdmin(cluster, "properties").contains(SHARE));

    assertTrue(reconfigure(SHARE, "1.0").contains("SUCCESS"));
    Done unlimited = load(READERS, READERS);
    assertEquals(0, metric("RealtimePaced"), "1.0 switches the limit off");
    assertTrue(unlimited.realtimeShare() > 0.9, "strict classes starve: " + unlimited);

    assertTrue(reconfigure(SHARE, "0.5").contains("SUCCESS"));
    assertEquals(0.5, Clusters.metric(cluster, dataNode, "RealtimeShare").asDouble(), 0, "in JMX");
    Done limited = load(READERS, READERS);
    assertTrue(limited.realtimeShare() > 0.35 && limited.realtimeShare() < 0.65, "" + limited);
    assertTrue(metric("RealtimePaced") > 0);
    assertTrue(metric("RealtimePacedMillis") > 0);
    assertTrue(
        Files.readString(dataNode.logFile()).contains("more than their share of 0.5"), "log line");

    String status = reconfigure(SHARE, "1.5");
    assertTrue(
        status.contains("FAILED")
            && status.contains(SHARE + " = \"1.5\": allowed: a number greater than 0, at most 1.0"),
        status);
    assertEquals(0.5, Clusters.metric(cluster, dataNode, "RealtimeShare").asDouble());

    long paced = metric("RealtimePaced");
    load(READERS, 0);
    assertEquals(paced, metric("RealtimePaced"), "with nobody waiting nothing is paced");

    reconfigure(SHARE, "0.5");
    assertTrue(reconfigure(EXCESS, "demote").contains("SUCCESS"));
    load(READERS, READERS);
    assertEquals(paced, metric("RealtimePaced"), "demoted instead");
    assertTrue(metric("RealtimeDemoted") > 0);
    assertEquals(0, metric("Failed"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.3.6", "3.5.0"})
  void theShareIsChangedLiveOnOtherVersionsToo(String version) throws Exception {
    List<java.nio.file.Path> classPath = VersionsIT.classPath(version);
    try (LocalCluster other =
        Clusters.of(VersionsIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .configureAll(o -> o.classPath(classPath))
            .start()) {
      assertTrue(dfsAdmin(other, "properties").contains(SHARE));
      assertTrue(reconfigure(other, SHARE, "0.25").contains("SUCCESS"));
      Daemon dataNode = other.daemon(Role.DATANODE);
      assertEquals(0.25, Clusters.metric(other, dataNode, "RealtimeShare").asDouble());
      String status = reconfigure(other, SHARE, "none");
      assertTrue(status.contains("FAILED") && status.contains(SHARE + " = \"none\""), status);
      assertEquals(0.25, Clusters.metric(other, dataNode, "RealtimeShare").asDouble());
    }
  }
}
