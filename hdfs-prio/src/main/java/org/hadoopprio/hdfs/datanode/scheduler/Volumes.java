// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.metrics.VolumeStatus;
import org.slf4j.LoggerFactory;

/** The volumes of the DataNodes of this process; tests have several. Thread-safe. */
public final class Volumes {

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(Volumes.class));

  private static final WeakConcurrentMap<FsVolumeSpi, Volume> KNOWN =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private static final WeakConcurrentSet<DataNode> DATA_NODES =
      new WeakConcurrentSet<>(WeakConcurrentSet.Cleaner.INLINE);

  private Volumes() {}

  /**
   * A DataNode is about to serve; reads its settings, and from now on {@link
   * PriorityMetrics#volumes} shows its volumes.
   */
  public static void dataNodeStarting(DataNode dataNode) {
    SchedulerSettings.dataNodeStarting(dataNode.getConf());
    DATA_NODES.add(dataNode);
    PriorityMetrics.setVolumes(Volumes::status);
  }

  /**
   * What this product does with a volume of a DataNode. It does not keep the configuration alive.
   *
   * @param conf the DataNode's
   * @param volume null for what belongs to none, or to one that is not known
   */
  public static Volume of(Configuration conf, FsVolumeSpi volume) {
    if (volume == null) {
      return SchedulerSettings.of(conf).unknown();
    }
    Volume known = KNOWN.getIfPresent(volume);
    if (known == null) {
      Volume made = Volume.of(volume.getBaseURI(), SchedulerSettings.of(conf));
      Volume other = KNOWN.putIfAbsent(volume, made);
      known = other == null ? made : other;
      PriorityMetrics.recordsChanged();
    }
    return known;
  }

  /** The status of all volumes for JMX, ordered by directory. */
  private static List<VolumeStatus> status() {
    List<Volume> known = new ArrayList<>();
    for (DataNode dataNode : DATA_NODES) {
      // Null until the DataNode has reached a NameNode.
      FsDatasetSpi<?> data = dataNode.getFSDataset();
      if (data != null) {
        try (FsDatasetSpi.FsVolumeReferences volumes = data.getFsVolumeReferences()) {
          volumes.forEach(volume -> known.add(of(dataNode.getConf(), volume)));
        } catch (IOException e) {
          LOG.warn("A volume could not be released after its status was read: " + e);
        }
      }
    }
    return status(known);
  }

  /** The status of volumes, ordered by directory. */
  static List<VolumeStatus> status(List<Volume> volumes) {
    Map<VolumeQueue, String> shown = new HashMap<>();
    return volumes.stream()
        .filter(volume -> volume.directory() != null)
        .sorted(Comparator.comparing(Volume::directory))
        .map(volume -> volume.status(shown))
        .collect(Collectors.toList());
  }

  /** How many disks there are whose writes take turns, or would in mode turns. */
  static int disks() {
    List<Volume> known = new ArrayList<>();
    for (Map.Entry<FsVolumeSpi, Volume> entry : KNOWN) {
      known.add(entry.getValue());
    }
    return disks(known);
  }

  /** The same for some volumes. */
  static int disks(List<Volume> volumes) {
    return (int) volumes.stream().map(Volume::disk).filter(Objects::nonNull).distinct().count();
  }
}
