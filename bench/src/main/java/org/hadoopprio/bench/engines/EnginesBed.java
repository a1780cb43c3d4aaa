package org.hadoopprio.bench.engines;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopprio.bench.cluster.ClusterBuilder;
import org.hadoopprio.bench.cluster.Daemon;
import org.hadoopprio.bench.cluster.Installation;
import org.hadoopprio.bench.cluster.LocalCluster;
import org.hadoopprio.bench.cluster.Progress;
import org.hadoopprio.bench.disk.Directories;
import org.hadoopprio.bench.disk.DiskKind;
import org.hadoopprio.bench.overhead.ProcessCpu;
import org.hadoopprio.config.HdfsKeys;
import org.hadoopprio.metrics.PriorityMBean;

/**
 * A cluster with a DataNode for each {@link Variant}, and one client that reads from each in turn.
 *
 * <p>For {@code ncq} a loop device stands for the SATA disk, in the library and in the helper, as
 * in native/pbs's tests: it answers a command by a read of its own. So what is measured of {@code
 * ncq} is all but SG_IO. Not safe for use by several threads.
 */
final class EnginesBed implements Closeable {

  static final int FILE_BYTES = 256 << 20;

  /** A client without the agent states no priority, so that stock gets the same bytes. */
  private static final String RULE = "client=.* => rt:0";

  private static final long READY_NANOS = 120_000_000_000L;
  private static final long POLL_MILLIS = 100;
  private static final int CHUNK = 1 << 20;

  /**
   * So many blocks of reads until the JVM has compiled what serves them: a DataNode runs for
   * months, and a compiler at work would be taken for the cost of what it compiles.
   */
  private static final int WARM_UP_CACHED_BLOCKS = 12;

  private static final int WARM_UP_UNCACHED_BLOCKS = 3;

  /** What one variant did in one block. */
  static final class Block {
    final long reads;
    final double seconds;
    final double cpuSeconds;

    Block(long reads, double seconds, double cpuSeconds) {
      this.reads = reads;
      this.seconds = seconds;
      this.cpuSeconds = cpuSeconds;
    }
  }

  private final LocalCluster cluster;
  private final Process helper;
  private final Path socket;
  private final FileSystem fs;
  private final Map<Variant, FSDataInputStream> files = new EnumMap<>(Variant.class);
  private final byte[] buffer = new byte[CHUNK];
  private final Random random;

  private EnginesBed(LocalCluster cluster, Process helper, Path socket, long seed)
      throws IOException {
    this.cluster = cluster;
    this.helper = helper;
    this.socket = socket;
    this.fs = FileSystem.newInstance(cluster.hadoopConf());
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
            .dataNodes(Variant.values().length)
            .conf("dfs.blocksize", Integer.toString(FILE_BYTES))
            .conf("dfs.namenode.redundancy.considerLoad", "false");
    for (Variant variant : Variant.values()) {
      builder.configure(
          variant.daemon(),
          options -> {
            options.agent(!variant.isStock());
            if (!variant.isStock()) {
              options
                  .conf(HdfsKeys.DATANODE_RULES.name(), RULE)
                  .conf(HdfsKeys.DATANODE_ENGINE.name(), variant.engine().toString())
                  .conf(
                      HdfsKeys.DATANODE_ENGINE_LIBRARY.name(),
                      built.resolve("libhprio_pbs_on_loop.so").toString())
                  .conf(HdfsKeys.DATANODE_ENGINE_NCQ_HELPER.name(), socket.toString());
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
                  cluster.disks().get(Variant.NCQ.number() - 1).directory().toString())
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
    for (Variant variant : Variant.values()) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/" + variant.label());
      write(file, daemon(variant));
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
        // A volume that was refused is opened again only while it is read.
        read(variant, 0, ReadKind.SMALL_CACHED.bytes());
        pause();
        engine = engine(variant);
      }
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private String engine(Variant variant) throws IOException {
    JsonNode beans = cluster.jmx(daemon(variant), PriorityMBean.OBJECT_NAME);
    return beans.at("/0/Engines/0/engine").asText();
  }

  private Daemon daemon(Variant variant) {
    return cluster.daemon(variant.daemon());
  }

  private void write(org.apache.hadoop.fs.Path file, Daemon dataNode) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), dataNode.port("data"));
    try (OutputStream out =
        ((DistributedFileSystem) fs)
            .create(
                file,
                FsPermission.getFileDefault(),
                true,
                CHUNK,
                (short) 1,
                FILE_BYTES,
                null,
                new InetSocketAddress[] {address})) {
      for (int done = 0; done < FILE_BYTES; done += CHUNK) {
        random.nextBytes(buffer);
        out.write(buffer);
      }
    }
    String[] at = fs.getFileBlockLocations(file, 0, 1)[0].getNames();
    if (!at[0].endsWith(":" + dataNode.port("data"))) {
      throw new IOException(file + " is at " + at[0] + ", not at " + address);
    }
  }

  private void read(Variant variant, long position, int bytes) throws IOException {
    files.get(variant).readFully(position, buffer, 0, bytes);
  }

  /** Lets one variant's DataNode come to what it is after a long time. */
  void warmUp(Variant variant) throws IOException {
    for (int i = 0; i < WARM_UP_CACHED_BLOCKS; i++) {
      measure(variant, ReadKind.SMALL_CACHED);
    }
    for (int i = 0; i < WARM_UP_UNCACHED_BLOCKS; i++) {
      measure(variant, ReadKind.SMALL_UNCACHED);
    }
  }

  /** Lets one variant work alone. */
  Block measure(Variant variant, ReadKind kind) throws IOException {
    if (kind.cached()) {
      fillPageCache(cluster.disks().get(variant.number() - 1).directory());
    } else {
      cluster.disks().get(variant.number() - 1).evictPageCache();
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
    return new Block(kind.reads(), seconds, cpuSeconds(variant) - cpuBefore);
  }

  /** Not through HDFS, whose engine may read past it. */
  private void fillPageCache(Path directory) throws IOException {
    List<Path> blocks;
    try (Stream<Path> tree = Files.walk(directory)) {
      blocks =
          tree.filter(path -> path.getFileName().toString().startsWith("blk_"))
              .collect(Collectors.toList());
    }
    for (Path block : blocks) {
      try (InputStream in = Files.newInputStream(block)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  /** Of the DataNode; with {@code ncq} of the helper, too. */
  private double cpuSeconds(Variant variant) throws IOException {
    long pid =
        daemon(variant)
            .pid()
            .orElseThrow(() -> new IOException(variant.daemon() + " does not run"));
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
