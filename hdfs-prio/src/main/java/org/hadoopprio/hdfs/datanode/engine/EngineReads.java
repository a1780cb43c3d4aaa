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
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.metrics.EngineStatus;
import org.hadoopprio.metrics.PriorityMetrics;

/**
 * Where a real-time read of a finalized replica is handed to its volume's engine. While no DataNode
 * of this process has an engine but {@code thread}, every call returns at once.
 */
public final class EngineReads {

  /** One a configuration, so one a DataNode. */
  private static final WeakConcurrentMap<Configuration, DataNodeEngines> ENGINES =
      new WeakConcurrentMap.WithInlinedExpunction<>() {
        @Override
        protected DataNodeEngines defaultValue(Configuration conf) {
          return new DataNodeEngines(conf);
        }
      };

  /** The engines for the real-time read that the thread is serving. */
  private static final ThreadLocal<DataNodeEngines> SERVING = new ThreadLocal<>();

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

  /** The calling thread begins to serve a read that has been granted real-time. */
  public static void realtimeBegins(Configuration conf) {
    if (active) {
      DataNodeEngines engines = ENGINES.get(conf);
      if (engines.isOn()) {
        SERVING.set(engines);
      }
    }
  }

  /** The calling thread has served a read. */
  public static void readEnds() {
    if (active && SERVING.get() != null) {
      SERVING.remove();
    }
  }

  /**
   * What a BlockSender is to read from.
   *
   * @param end where in the block it will stop
   * @return what was given, where stock HDFS is to read
   */
  public static ReplicaInputStreams streams(
      Replica replica, ReplicaInputStreams stock, FileIoProvider provider, long end)
      throws IOException {
    DataNodeEngines engines = active ? SERVING.get() : null;
    if (engines == null
        || replica.getState() != ReplicaState.FINALIZED
        || !(stock.getDataIn() instanceof FileInputStream)) {
      return stock;
    }
    FsVolumeReference reference = stock.getVolumeRef();
    VolumeEngine engine = engines.of(reference.getVolume());
    FileInputStream in = (FileInputStream) stock.getDataIn();
    EngineFile file = engine == null ? null : engine.open(DescriptorNumber.of(in.getFD()), end);
    if (file == null) {
      return stock;
    }
    return new EngineStreams(
        new EngineInputStream(in, file), stock.getChecksumIn(), reference, provider);
  }

  /**
   * The checksums of a replica, as a BlockSender is to read them. Only {@code ncq} has a use for
   * them: else the thread's priority reaches the drive, and the page cache holds what the next read
   * needs.
   *
   * @return what was given, where stock HDFS is to read
   */
  public static LengthInputStream checksums(
      ReplicaState state, FsVolumeSpi volume, LengthInputStream stock) throws IOException {
    DataNodeEngines engines = active ? SERVING.get() : null;
    InputStream in = stock.getWrappedStream();
    if (engines == null
        || state != ReplicaState.FINALIZED
        || !(in instanceof FileInputStream)
        || volume == null) {
      return stock;
    }
    VolumeEngine engine = engines.of(volume);
    if (engine == null || engine.engine() != Engine.NCQ) {
      return stock;
    }
    EngineFile file = engine.open(DescriptorNumber.of(((FileInputStream) in).getFD()), 0);
    return file == null
        ? stock
        : new LengthInputStream(
            new EngineInputStream((FileInputStream) in, file), stock.getLength());
  }
}
