// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.config.VolumeChoice;
import org.hadoopprio.metrics.EngineStatus;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engines of one DataNode's volumes. Thread-safe. */
final class DataNodeEngines {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodeEngines.class);
  private static final String DATA_DIRECTORIES = "dfs.datanode.data.dir";

  private final EngineSettings settings;
  private final Executor background = background();
  private final Map<Path, VolumeEngine> engines = new ConcurrentSkipListMap<>();
  private final WeakConcurrentMap<FsVolumeSpi, VolumeEngine> ofVolumes =
      new WeakConcurrentMap.WithInlinedExpunction<>() {
        @Override
        protected VolumeEngine defaultValue(FsVolumeSpi volume) {
          return in(directory(volume.getBaseURI()));
        }
      };

  DataNodeEngines(Configuration conf) {
    settings = EngineSettings.of(conf);
  }

  /** One thread for each volume that is being opened: a drive that hangs holds up no other. */
  static Executor background() {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        1,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "hadoop-prio engines");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Whether any volume has an engine other than {@code thread}. */
  boolean isOn() {
    return !settings.choice().isOnly(Engine.THREAD);
  }

  /** Opens the volumes of a DataNode that starts, and logs entries that name no volume. */
  void start(Collection<StorageLocation> locations) {
    Set<Path> directories = new TreeSet<>();
    for (StorageLocation location : locations) {
      Path directory = directory(location.getUri());
      if (directory != null) {
        directories.add(directory);
      }
    }
    checkNames(EngineKeys.ENGINE, settings.choice(), directories);
    checkNames(EngineKeys.DURATION_LIMITS, settings.limits(), directories);
    for (Path directory : directories) {
      in(directory).openIfDue();
    }
  }

  private static void checkNames(ConfigKey<?> key, VolumeChoice<?> choice, Set<Path> directories) {
    for (Path named : choice.directories()) {
      if (!directories.contains(named)) {
        LOG.error(
            "{} names {}, which is not a volume; allowed are the directories of {}: {}",
            key.name(),
            named,
            DATA_DIRECTORIES,
            directories);
      }
    }
  }

  /** The engine of a volume; null if the volume is not a local directory. */
  VolumeEngine of(FsVolumeSpi volume) {
    return ofVolumes.get(volume);
  }

  private VolumeEngine in(Path directory) {
    if (directory == null) {
      return null;
    }
    VolumeEngine known = engines.get(directory);
    if (known == null) {
      known = engines.computeIfAbsent(directory, this::make);
      PriorityMetrics.recordsChanged();
    }
    return known;
  }

  private VolumeEngine make(Path directory) {
    return new VolumeEngine(
        directory,
        settings.choice().of(directory),
        settings.limits().of(directory),
        this::open,
        background,
        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  }

  private NativeVolume open(Path directory) throws IOException {
    String problem = PbsLibrary.load(settings.library());
    if (problem != null) {
      throw new IOException(problem);
    }
    return NativeVolume.open(directory, settings);
  }

  private static Path directory(URI uri) {
    return uri == null || !"file".equals(uri.getScheme()) ? null : Path.of(uri).normalize();
  }

  /** The status of all engines for JMX, ordered by directory. */
  List<EngineStatus> status() {
    List<EngineStatus> all = new ArrayList<>();
    for (VolumeEngine engine : engines.values()) {
      all.add(engine.status());
    }
    return all;
  }
}
