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
 * The delegate of the hooks that hand a real-time read of a finalized replica to its volume's
 * engine. Every call returns at once while no DataNode of this process has an engine other than
 * {@code thread}. Thread-safe.
 */
public final class EngineReads {

  /** One for each configuration object, and so for each DataNode. */
  private static final WeakConcurrentMap<Configuration, DataNodeEngines> ENGINES =
      new WeakConcurrentMap.WithInlinedExpunction<>() {
        @Override
        protected DataNodeEngines defaultValue(Configuration conf) {
          return new DataNodeEngines(conf);
        }
      };

  /** The engines of the DataNode whose real-time read the thread is serving. */
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

  /** The calling thread is about to serve a read that was admitted at real-time. */
  public static void realtimeAdmitted(Configuration conf) {
    if (active) {
      DataNodeEngines engines = ENGINES.get(conf);
      if (engines.isOn()) {
        SERVING.set(engines);
      }
    }
  }

  /** The calling thread has served a read. */
  public static void readFinished() {
    if (active && SERVING.get() != null) {
      SERVING.remove();
    }
  }

  /**
   * The streams from which a BlockSender reads.
   *
   * @param end the end of the read in the block, in bytes
   * @return the given streams if stock HDFS code is to read
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
   * The stream from which a BlockSender reads the checksums of a replica. Only {@code ncq} changes
   * it: with other engines the thread's priority reaches the drive, and the page cache keeps what
   * the next read needs.
   *
   * @return the given stream if stock HDFS code is to read
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
