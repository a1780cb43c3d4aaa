// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.EngineStatus;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.LoggerFactory;

/**
 * Hands a read of a finalized replica to its volume's engine: all real-time ones, and where there
 * are duration limits all that have a latency target. No read is concerned while no DataNode of
 * this process has an engine other than {@code thread}. Thread-safe.
 */
public final class EngineReads {

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(EngineReads.class));

  /** One for each configuration object, and so for each DataNode. */
  private static final WeakConcurrentMap<Configuration, DataNodeEngines> ENGINES =
      new WeakConcurrentMap.WithInlinedExpunction<>() {
        @Override
        protected DataNodeEngines defaultValue(Configuration conf) {
          return new DataNodeEngines(conf);
        }
      };

  private static volatile boolean active;

  private EngineReads() {}

  /** A DataNode has started. */
  public static void dataNodeStarted(
      Configuration conf, Collection<StorageLocation> dataDirectories) {
    DataNodeEngines engines = ENGINES.get(conf);
    if (engines.isOn()) {
      activate();
      engines.start(dataDirectories);
    }
  }

  private static void activate() {
    PriorityMetrics.setEngines(EngineReads::status);
    active = true;
  }

  private static List<EngineStatus> status() {
    List<EngineStatus> all = new ArrayList<>();
    for (Map.Entry<Configuration, DataNodeEngines> each : ENGINES) {
      all.addAll(each.getValue().status());
    }
    return all;
  }

  /**
   * The calling thread is about to serve a read that was admitted. Its latency target begins to
   * count.
   *
   * @param granted null for none
   * @param stated what the client says of the read
   * @return what to pass to the other methods; null if no engine is concerned
   */
  public static EngineRead admitted(Configuration conf, IoPriority granted, Hint stated) {
    if (active
        && !OffSwitch.isOff(AgentModule.ENGINES)
        && granted != null
        && (granted.ioClass() == IoClass.REALTIME || granted.hasTarget())) {
      DataNodeEngines engines = ENGINES.get(conf);
      if (engines.isOn()) {
        return new EngineRead(engines, granted, stated, System.nanoTime());
      }
    }
    return null;
  }

  /**
   * The calling thread is about to answer the client that its read begins. If the read may be
   * refused, its first piece is read now, because after the answer a client would take a failure
   * for a broken DataNode.
   *
   * @param read that the calling thread serves
   * @param offset where the read begins in the block, in bytes
   * @param end the end of the read in the block, in bytes
   * @return the streams from which the BlockSender is to read, the given ones if nothing was done;
   *     null if the client is to go elsewhere
   */
  public static ReplicaInputStreams answering(
      EngineRead read,
      Replica replica,
      ReplicaInputStreams stock,
      FileIoProvider provider,
      long offset,
      long end) {
    try {
      return answeringIfInTime(read, replica, stock, provider, offset, end);
    } catch (IOException | RuntimeException | Error e) {
      // Our failure must not fail the read; memory for buffers may be used up, too.
      PriorityMetrics.FAILED.increment();
      LOG.warn("A read is answered before its data is read: " + e);
      return stock;
    }
  }

  private static ReplicaInputStreams answeringIfInTime(
      EngineRead read,
      Replica replica,
      ReplicaInputStreams stock,
      FileIoProvider provider,
      long offset,
      long end)
      throws IOException {
    // Others have not had their turn at the disk yet.
    if (!read.isRealtime()
        || !read.hasTarget(end - offset)
        || !read.mayRefuse()
        || !mayRead(replica, stock)) {
      return stock;
    }
    VolumeEngine engine = read.engines().of(stock.getVolumeRef().getVolume());
    if (engine == null || !engine.hasLimits()) {
      return stock;
    }
    FileInputStream in = (FileInputStream) stock.getDataIn();
    EngineFile file = engine.open(DescriptorNumber.of(in.getFD()), end, read, true);
    return file == null ? stock : answering(file, stock, provider, offset);
  }

  /** Reads the first piece; the file is closed if it is late, or if that fails. */
  static ReplicaInputStreams answering(
      EngineFile file, ReplicaInputStreams stock, FileIoProvider provider, long offset)
      throws IOException {
    ReplicaInputStreams answering = null;
    try {
      answering = file.isLate(offset) ? null : streams(stock, provider, file);
      return answering;
    } finally {
      if (answering == null) {
        file.close();
      }
    }
  }

  /**
   * The streams from which a BlockSender reads.
   *
   * @param read that the calling thread serves
   * @param offset where the read begins in the block, in bytes
   * @param end the end of the read in the block, in bytes
   * @return the given streams if stock HDFS code is to read, or {@link #answering} has replaced
   *     them
   */
  public static ReplicaInputStreams streams(
      EngineRead read,
      Replica replica,
      ReplicaInputStreams stock,
      FileIoProvider provider,
      long offset,
      long end)
      throws IOException {
    if (stock instanceof EngineStreams || !mayRead(replica, stock)) {
      return stock;
    }
    VolumeEngine engine = read.engines().of(stock.getVolumeRef().getVolume());
    if (engine == null) {
      return stock;
    }
    int descriptor = DescriptorNumber.of(((FileInputStream) stock.getDataIn()).getFD());
    EngineFile file = null;
    if (read.hasTarget(end - offset) && engine.hasLimits()) {
      // What is not real-time need not take its turn for what is in the page cache.
      if (read.isRealtime() || !PageCache.isResident(descriptor, offset, end - offset)) {
        file = engine.open(descriptor, end, read, false);
      }
    } else if (read.isRealtime()) {
      file = engine.open(descriptor, end);
    }
    return streams(stock, provider, file);
  }

  private static boolean mayRead(Replica replica, ReplicaInputStreams stock) {
    return replica.getState() == ReplicaState.FINALIZED
        && stock.getDataIn() instanceof FileInputStream;
  }

  private static ReplicaInputStreams streams(
      ReplicaInputStreams stock, FileIoProvider provider, EngineFile file) throws IOException {
    return file == null
        ? stock
        : new EngineStreams(
            EngineInputStream.over((FileInputStream) stock.getDataIn(), file),
            stock.getChecksumIn(),
            stock.getVolumeRef(),
            provider);
  }

  /**
   * The stream from which a BlockSender reads the checksums of a replica. Only {@code ncq} changes
   * it: with other engines the thread's priority reaches the drive, and the page cache keeps what
   * the next read needs.
   *
   * @param read that the calling thread serves
   * @return the given stream if stock HDFS code is to read
   */
  public static LengthInputStream checksums(
      EngineRead read, ReplicaState state, FsVolumeSpi volume, LengthInputStream stock)
      throws IOException {
    InputStream in = stock.getWrappedStream();
    if (!read.isRealtime()
        || state != ReplicaState.FINALIZED
        || !(in instanceof FileInputStream)
        || volume == null) {
      return stock;
    }
    VolumeEngine engine = read.engines().of(volume);
    if (engine == null || engine.engine() != Engine.NCQ) {
      return stock;
    }
    EngineFile file = engine.open(DescriptorNumber.of(((FileInputStream) in).getFD()), 0);
    return file == null
        ? stock
        : new LengthInputStream(
            EngineInputStream.over((FileInputStream) in, file), stock.getLength());
  }
}
