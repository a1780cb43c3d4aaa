package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.datanode.engine.EngineKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.disk.Directories;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.workload.Pauses;

/**
 * A cluster with a DataNode for each {@link Variant}, and one client that reads from each in turn.
 *
 * <p>For {@code ncq} a loop device stands for the SATA disk, in the library and in the helper, as
 * in native/pbs's tests: it answers a command with a read of its own. The results of {@code ncq}
 * therefore include everything except SG_IO. Not safe for use by several threads.
 */
final class EnginesBed implements Bed {

  static final int FILE_BYTES = 256 << 20;

  /** The client has no agent and states no priority, so that stock gets the same bytes. */
  private static final String RULE = "client=.* => rt:0";

  private static final long READY_NANOS = 120_000_000_000L;
  private static final long POLL_MILLIS = 100;
  private static final int CHUNK = 1 << 20;

  /**
   * After this many blocks of reads the JVM has compiled the code that serves them. A DataNode runs
   * for months, so the compiler's CPU time must not count as the cost of an engine.
   */
  private static final int WARM_UP_CACHED_BLOCKS = 12;

  private static final int WARM_UP_UNCACHED_BLOCKS = 3;

  private final LocalCluster cluster;
  private final Process helper;
  private final Path socket;
  private final DistributedFileSystem fs;
  private final Map<Variant, FSDataInputStream> files = new EnumMap<>(Variant.class);
  private final byte[] buffer = new byte[CHUNK];
  private final Random random;

  private EnginesBed(LocalCluster cluster, Process helper, Path socket, long seed)
      throws IOException {
    this.cluster = cluster;
    this.helper = helper;
    this.socket = socket;
    this.fs = (DistributedFileSystem) FileSystem.newInstance(cluster.hadoopConf());
    this.random = new Random(seed);
  }

  static EnginesBed start(Path directory, long seed) throws IOException {
    Path built = Installation.find().home().resolve("native/target/pbs");
    // A path in the cluster's directory may be too long for a socket.
    Path socket = Files.createTempDirectory("hprio-engines-").resolve("pbsd.sock");
    ClusterBuilder builder =
        LocalCluster.builder(directory)
            .stopAtExit(true)
            .progress(Progress.silent())
            .disk(DiskKind.LOOP)
            .hbase(false)
            .yarn(false)
            .dataNodes(Variant.FOR_ENGINES.size())
            .conf("dfs.blocksize", Integer.toString(FILE_BYTES))
            .conf("dfs.namenode.redundancy.considerLoad", "false");
    for (Variant variant : Variant.FOR_ENGINES) {
      builder.configure(
          daemonName(variant),
          options -> {
            options.agent(variant.agent());
            if (variant.agent()) {
              options
                  .conf(DataNodeKeys.RULES.name(), RULE)
                  .conf(EngineKeys.ENGINE.name(), variant.engine().toString())
                  .conf(
                      EngineKeys.LIBRARY.name(),
                      built.resolve("libhprio_pbs_on_loop.so").toString())
                  .conf(EngineKeys.NCQ_HELPER.name(), socket.toString());
            }
          });
    }
    LocalCluster cluster = builder.start();
    Process helper = null;
    try {
      helper =
          new ProcessBuilder(
                  built.resolve("hprio-pbsd_on_loop").toString(),
                  "--socket",
                  socket.toString(),
                  "--allow-uid",
                  "0",
                  "--user",
                  "65534:65534",
                  disk(cluster, Variant.NCQ).directory().toString())
              .redirectErrorStream(true)
              .redirectOutput(cluster.directory().resolve("logs/hprio-pbsd.log").toFile())
              .start();
      EnginesBed bed = new EnginesBed(cluster, helper, socket, seed);
      bed.prepare();
      return bed;
    } catch (IOException | RuntimeException e) {
      if (helper != null) {
        helper.destroy();
      }
      cluster.stop();
      throw e;
    }
  }

  private void prepare() throws IOException {
    random.nextBytes(buffer);
    for (Variant variant : Variant.FOR_ENGINES) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/" + variant.label());
      PinnedFiles pinned = new PinnedFiles(fs, daemon(variant).port("data"));
      pinned.write(file, buffer, FILE_BYTES);
      pinned.requireHere(file);
      files.put(variant, fs.open(file));
    }
    long deadline = System.nanoTime() + READY_NANOS;
    for (Variant variant : List.of(Variant.DIRECT, Variant.NCQ)) {
      String engine = engine(variant);
      while (!engine.equals(variant.label())) {
        if (System.nanoTime() > deadline) {
          throw new IOException(
              "engine " + variant.label() + " is not in force; see " + daemon(variant).logFile());
        }
        // The DataNode retries a volume that was refused only while it is read.
        read(variant, 0, ReadKind.SMALL_CACHED.bytes());
        Pauses.sleep(POLL_MILLIS, "interrupted while waiting for an engine");
        engine = engine(variant);
      }
    }
  }

  private String engine(Variant variant) throws IOException {
    JsonNode beans = cluster.jmx(daemon(variant), PriorityMBean.OBJECT_NAME);
    return beans.at("/0/Engines/0/engine").asText();
  }

  private Daemon daemon(Variant variant) {
    return cluster.daemon(daemonName(variant));
  }

  private static String daemonName(Variant variant) {
    return "datanode-" + (Variant.FOR_ENGINES.indexOf(variant) + 1);
  }

  private static Disk disk(LocalCluster cluster, Variant variant) throws IOException {
    return cluster.disks().get(Variant.FOR_ENGINES.indexOf(variant));
  }

  private void read(Variant variant, long position, int bytes) throws IOException {
    files.get(variant).readFully(position, buffer, 0, bytes);
  }

  @Override
  public void warmUp(OverheadSettings settings, StepLog log) throws IOException {
    for (Variant variant : Variant.FOR_ENGINES) {
      log.say("warming up " + daemonName(variant) + ", " + variant.words());
      for (int i = 0; i < WARM_UP_CACHED_BLOCKS; i++) {
        measure(variant, ReadKind.SMALL_CACHED);
      }
      for (int i = 0; i < WARM_UP_UNCACHED_BLOCKS; i++) {
        measure(variant, ReadKind.SMALL_UNCACHED);
      }
    }
  }

  /** Makes the client read from one variant's DataNode alone. */
  Block measure(Variant variant, ReadKind kind) throws IOException {
    if (kind.cached()) {
      // Not through HDFS, because an engine may bypass the page cache.
      BlockFiles.fillPageCache(disk(cluster, variant).directory());
    } else {
      disk(cluster, variant).evictPageCache();
    }
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < kind.reads(); i++) {
      places.add(i);
    }
    Collections.shuffle(places, random);
    double cpuBefore = cpuSeconds(variant);
    long start = System.nanoTime();
    for (int place : places) {
      read(variant, kind.position(place), kind.bytes());
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpu = cpuSeconds(variant) - cpuBefore;
    return new Block(kind.reads(), (double) kind.reads() * kind.bytes(), seconds, cpu, 0);
  }

  /** Of the DataNode; with {@code ncq}, of the helper too. */
  private double cpuSeconds(Variant variant) throws IOException {
    long pid =
        daemon(variant)
            .pid()
            .orElseThrow(() -> new IOException(daemonName(variant) + " is not running"));
    double seconds = ProcessCpu.seconds(pid);
    return variant == Variant.NCQ ? seconds + ProcessCpu.seconds(helper.pid()) : seconds;
  }

  @Override
  public void close() throws IOException {
    try {
      for (FSDataInputStream in : files.values()) {
        in.close();
      }
      fs.close();
    } finally {
      helper.destroy();
      try {
        helper.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      Directories.delete(socket.getParent());
      cluster.stop();
    }
  }
}
