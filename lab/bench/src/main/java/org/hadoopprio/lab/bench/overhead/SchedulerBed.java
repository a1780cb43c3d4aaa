package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClusterException;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.workload.Pauses;

/**
 * Two DataNodes with the agent, each on a disk in memory, and a client that reads from one of them.
 * The mode of a DataNode's scheduler changes while it runs, so modes are compared within a process.
 *
 * <p>The scheduler finds that a disk in memory does not rotate, and lets no read wait. So one of
 * the DataNodes is told to let one stream at a time read, as from a hard disk. Not safe for use by
 * several threads.
 */
final class SchedulerBed implements Bed {

  /** How many streams read. */
  static final int STREAMS = 16;

  /** The data of a packet, what HDFS has by default without transferTo. */
  static final int PACKET_BYTES = 4096;

  private static final long DISK_BYTES = 2L << 30;
  private static final int CHUNK = 1 << 20;

  /**
   * What a read without checksums needs of a DataNode at most: socket, block, and a selector with
   * its epoll and event descriptors while the client takes nothing.
   */
  private static final int DESCRIPTORS_PER_READ = 4;

  /** For everything else. */
  private static final int OTHER_DESCRIPTORS = 1024;

  /** Read-ahead threads, streams and what HDFS itself does beside held reads. */
  private static final int OTHER_DATA_XCEIVERS = 256;

  private static final int HEAP_MB = 512;

  /** The memory of a read: stack and buffers in the DataNode, both sockets, the client's state. */
  private static final long MEMORY_PER_READ = 512 << 10;

  private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files +(\\d+) .*");
  private static final Pattern AVAILABLE = Pattern.compile("MemAvailable: +(\\d+) kB");

  /** From the end of a pause of the client until the streams flow again. */
  private static final double RAMP_SECONDS = 0.2;

  private static final long POLL_MILLIS = 50;
  private static final long END_PATIENCE_NANOS = 20_000_000_000L;

  private final LocalCluster cluster;
  private final Map<SchedulerLoad, List<LocatedBlock>> blocks = new EnumMap<>(SchedulerLoad.class);
  private final int heldReads;

  /** The streams of the load that was measured last; null before the first. */
  private PacketStreams streams;

  private SchedulerLoad streamsOf;

  private SchedulerBed(LocalCluster cluster, int heldReads) throws IOException {
    this.cluster = cluster;
    this.heldReads = Math.min(heldReads, possibleReads());
  }

  /**
   * Starts the DataNodes and writes the files.
   *
   * @param scale says how many reads are held open; fewer are if this machine does not permit it
   */
  static SchedulerBed start(Path directory, SchedulerScale scale) throws IOException {
    int descriptors = scale.heldReads() * DESCRIPTORS_PER_READ + OTHER_DESCRIPTORS;
    LocalCluster cluster =
        LocalCluster.builder(directory)
            .stopAtExit(true)
            .progress(Progress.silent())
            .disk(DiskKind.MEMORY)
            .diskBytes(DISK_BYTES)
            .hbase(false)
            .yarn(false)
            .dataNodes(2)
            .conf("dfs.blocksize", Integer.toString(scale.fileBytes()))
            .conf("dfs.datanode.du.reserved", "0")
            .conf("dfs.namenode.redundancy.considerLoad", "false")
            .configure(
                Role.DATANODE,
                options ->
                    options
                        // Without transferTo a packet holds as much data as a buffer.
                        .conf("dfs.datanode.transferTo.allowed", "false")
                        .conf("io.file.buffer.size", Integer.toString(PACKET_BYTES)))
            .configure(
                daemonName(SchedulerLoad.CACHED),
                options ->
                    options
                        .heapMb(HEAP_MB)
                        .conf(SchedulerKeys.STREAMS.name(), "1")
                        .conf(
                            "dfs.datanode.max.transfer.threads",
                            Integer.toString(scale.heldReads() + OTHER_DATA_XCEIVERS))
                        .wrapper(
                            "sh",
                            "-c",
                            // Where the limit cannot be raised, fewer reads are held open.
                            "ulimit -n " + descriptors + " 2>/dev/null; exec \"$@\"",
                            "sh"))
            .start();
    try {
      SchedulerBed bed = new SchedulerBed(cluster, scale.heldReads());
      bed.writeFiles(scale.fileBytes());
      return bed;
    } catch (IOException | RuntimeException e) {
      cluster.stop();
      throw e;
    }
  }

  private static String daemonName(SchedulerLoad load) {
    return load.asDisk() ? "datanode-1" : "datanode-2";
  }

  private Daemon daemon(SchedulerLoad load) {
    return cluster.daemon(daemonName(load));
  }

  /** The descriptors and the memory of this machine permit so many held reads. */
  private int possibleReads() throws IOException {
    long pid = pid(SchedulerLoad.HELD);
    long here = descriptors("self") - OTHER_DESCRIPTORS;
    long there = (descriptors(Long.toString(pid)) - OTHER_DESCRIPTORS) / DESCRIPTORS_PER_READ;
    Matcher memory = find(AVAILABLE, Path.of("/proc/meminfo"));
    long bytes = Long.parseLong(memory.group(1)) << 10;
    return (int) Math.max(1, Math.min(bytes / MEMORY_PER_READ, Math.min(here, there)));
  }

  private static long descriptors(String process) throws IOException {
    return Long.parseLong(find(SOFT_LIMIT, Path.of("/proc", process, "limits")).group(1));
  }

  private static Matcher find(Pattern pattern, Path file) throws IOException {
    Matcher matcher = pattern.matcher(Files.readString(file));
    if (!matcher.find()) {
      throw new IOException(file + " has no line " + pattern);
    }
    return matcher;
  }

  private long pid(SchedulerLoad load) throws IOException {
    return daemon(load)
        .pid()
        .orElseThrow(() -> new IOException(daemonName(load) + " is not running"));
  }

  private void writeFiles(int bytes) throws IOException {
    byte[] chunk = new byte[CHUNK];
    new Random(1).nextBytes(chunk);
    try (DistributedFileSystem fs =
        (DistributedFileSystem) FileSystem.newInstance(cluster.hadoopConf())) {
      for (SchedulerLoad load : List.of(SchedulerLoad.CACHED, SchedulerLoad.DEVICE)) {
        PinnedFiles pinned = new PinnedFiles(fs, daemon(load).port("data"));
        List<LocatedBlock> ofStreams = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
          String name = "/" + daemonName(load) + "-" + i;
          org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(name);
          pinned.write(file, chunk, bytes);
          pinned.requireHere(file);
          ofStreams.addAll(fs.getClient().getLocatedBlocks(name, 0, bytes).getLocatedBlocks());
        }
        for (SchedulerLoad same : SchedulerLoad.values()) {
          if (same.asDisk() == load.asDisk()) {
            blocks.put(same, ofStreams);
          }
        }
      }
    }
  }

  @Override
  public void warmUp(OverheadSettings settings, StepLog log) throws IOException {
    for (SchedulerLoad load : List.of(SchedulerLoad.CACHED, SchedulerLoad.DEVICE)) {
      log.say("warming up " + daemonName(load));
      for (SchedulerMode mode : List.of(SchedulerMode.OFF, SchedulerMode.TURNS)) {
        prepare(load, mode);
        measure(load, settings.schedulerWarmUpSeconds());
      }
    }
  }

  /** Changes the mode while the streams of a load read; starts these if others do. */
  private void prepare(SchedulerLoad load, SchedulerMode mode) throws IOException {
    Daemon dataNode = daemon(load);
    cluster.reconfigure(
        dataNode, options -> options.conf(SchedulerKeys.MODE.name(), mode.toString()));
    VolumeMode volume = VolumeMode.of(cluster, dataNode);
    volume.requireWanted(mode);
    if (load.asDisk()) {
      volume.requireInForce(mode);
    }
    if (streamsOf != load) {
      start(load);
    }
    streams.settle();
  }

  private void start(SchedulerLoad load) throws IOException {
    stopStreams();
    awaitNoDataXceivers(load);
    Disk disk = cluster.disks().get(load.asDisk() ? 0 : 1);
    if (load.cached()) {
      BlockFiles.fillPageCache(disk.directory());
    } else {
      disk.evictPageCache();
    }
    streams = PacketStreams.start(address(load), blocks.get(load), !load.cached());
    streamsOf = load;
  }

  private void stopStreams() throws IOException {
    if (streams != null) {
      streams.close();
      streams = null;
      streamsOf = null;
    }
  }

  /** Adds a block of one mode to a result. */
  void measure(SchedulerLoad load, Variant variant, SchedulerScale scale, ObjectNode result)
      throws IOException {
    prepare(load, variant == Variant.TURNS ? SchedulerMode.TURNS : SchedulerMode.OFF);
    VolumeMode before = VolumeMode.of(cluster, daemon(load));
    Block block =
        load.besideHeldReads()
            ? measureBesideHeldReads(load, variant, scale.blockSeconds(load), result)
            : measure(load, scale.blockSeconds(load));
    block.write(result.with("blocks").withArray(variant.label()).addObject());
    if (variant == Variant.TURNS) {
      addVolume(before, VolumeMode.of(cluster, daemon(load)), result);
    }
  }

  /** What the scheduler has found, and what it has done in a block. */
  private static void addVolume(VolumeMode before, VolumeMode volume, ObjectNode result) {
    result
        .withArray("queue")
        .addObject()
        .put("turns", volume.turns() - before.turns())
        .put("waits", volume.waits() - before.waits())
        .put("wait_ms", volume.waitMillis() - before.waitMillis());
    result
        .putObject("volume")
        .put("device", volume.device())
        .put("streams", volume.streams())
        .put("mode", volume.inForce())
        .put("reason", volume.reason());
  }

  private Block measureBesideHeldReads(
      SchedulerLoad load, Variant variant, double seconds, ObjectNode result) throws IOException {
    long start = System.nanoTime();
    try (HeldReads held = HeldReads.open(address(load), blocks.get(load), heldReads)) {
      double openSeconds = (System.nanoTime() - start) / 1e9;
      Block block = measure(load, seconds);
      int xceivers = dataXceivers(load);
      long descriptors = openDescriptors(pid(load));

      start = System.nanoTime();
      int failed = held.finish();
      result
          .with("held")
          .withArray(variant.label())
          .addObject()
          .put("reads", heldReads)
          .put("data_xceivers", xceivers)
          .put("descriptors", descriptors)
          .put("failed", failed)
          .put("open_s", openSeconds)
          .put("finish_s", (System.nanoTime() - start) / 1e9);
      return block;
    }
  }

  private static long openDescriptors(long pid) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      return all.count();
    }
  }

  private int dataXceivers(SchedulerLoad load) throws IOException {
    return cluster
        .jmx(daemon(load), "Hadoop:service=DataNode,name=DataNodeInfo")
        .path(0)
        .path("XceiverCount")
        .asInt();
  }

  /** Those of former streams and held reads end soon after their clients. */
  private void awaitNoDataXceivers(SchedulerLoad load) throws IOException {
    long until = System.nanoTime() + END_PATIENCE_NANOS;
    int count = dataXceivers(load);
    while (count > 0) {
      if (System.nanoTime() > until) {
        throw new ClusterException(
            daemonName(load) + " still has " + count + " DataXceivers whose clients are gone");
      }
      Pauses.sleep(POLL_MILLIS, "interrupted while DataXceivers ended");
      count = dataXceivers(load);
    }
  }

  private InetSocketAddress address(SchedulerLoad load) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), daemon(load).port("data"));
  }

  private Block measure(SchedulerLoad load, double length) throws IOException {
    long pid = pid(load);
    streams.read(RAMP_SECONDS);
    long packets = streams.packets();
    long bytes = streams.bytes();
    double cpu = ProcessCpu.seconds(pid);
    double clientCpu = ProcessCpu.seconds(ProcessHandle.current().pid());
    long start = System.nanoTime();
    streams.read(length);
    return new Block(
        streams.packets() - packets,
        streams.bytes() - bytes,
        (System.nanoTime() - start) / 1e9,
        ProcessCpu.seconds(pid) - cpu,
        ProcessCpu.seconds(ProcessHandle.current().pid()) - clientCpu);
  }

  @Override
  public void close() throws IOException {
    try {
      stopStreams();
    } finally {
      cluster.stop();
    }
  }
}
