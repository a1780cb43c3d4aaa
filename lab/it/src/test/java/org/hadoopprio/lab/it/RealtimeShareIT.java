package org.hadoopprio.lab.it;

import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Beside real-time readers that never pause, a DataNode leaves idle scans their share of a disk
 * that serves strict classes ({@link StrictDisk}), and an operator changes the share while it runs.
 */
class RealtimeShareIT {

  private static final String SHARE = SchedulerKeys.SHARE.name();
  private static final String EXCESS = SchedulerKeys.EXCESS.name();
  private static final IoPriority RT3 = IoPriority.realtime(3);
  private static final Path FILE = new Path("/file");
  private static final int FILE_MIB = 16;
  private static final int GET_BYTES = 48 * 1024;
  private static final int READERS = 4;
  private static final long RAMP_MILLIS = 1_000;
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
  static String reconfigure(LocalCluster cluster, String key, String value) throws Exception {
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

  /** What {@code hdfs dfsadmin -reconfig} prints, which runs in this JVM. */
  static String dfsAdmin(LocalCluster cluster, String action) throws Exception {
    String address = "127.0.0.1:" + cluster.daemon(Role.DATANODE).port("ipc");
    PrintStream terminal = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      int exit =
          ToolRunner.run(
              new DFSAdmin(cluster.hadoopConf()),
              new String[] {"-reconfig", "datanode", address, action});
      assertEquals(0, exit, () -> printed.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(terminal);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** The load after its ramp: each reader has one read outstanding all the time. */
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
      Thread.sleep(RAMP_MILLIS);
      done.realtimeReads.set(0);
      done.idleReads.set(0);
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
}
