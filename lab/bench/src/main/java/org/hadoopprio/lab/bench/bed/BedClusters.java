// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.bed;

import java.io.IOException;
import java.nio.file.Path;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.DiskKind;

/** The clusters of experiments: silent, and stopped when this JVM ends. */
public final class BedClusters {

  private BedClusters() {}

  /** Makes a bed on a cluster. */
  @FunctionalInterface
  public interface Making<B> {
    B on(LocalCluster cluster) throws IOException;
  }

  /** Starts a cluster and makes a bed on it; after a failure nothing is left running. */
  public static <B> B start(ClusterBuilder builder, Making<B> making) throws IOException {
    LocalCluster cluster = builder.start();
    try {
      return making.on(cluster);
    } catch (IOException | RuntimeException e) {
      try {
        cluster.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** HDFS alone. */
  public static ClusterBuilder hdfs(Path directory, DiskKind disk, int dataNodes, long diskBytes) {
    return LocalCluster.builder(directory)
        .hbase(false)
        .yarn(false)
        .disk(disk)
        .dataNodes(dataNodes)
        .diskBytes(diskBytes)
        .stopAtExit(true)
        .progress(Progress.silent());
  }

  /**
   * HDFS and HBase, with one DataNode. HBase starts no background work of its own during a
   * measurement, and soon deletes logs and what a compaction has replaced: they would fill the
   * disk.
   */
  public static ClusterBuilder hbase(Path directory, DiskKind disk, long diskBytes) {
    return hdfs(directory, disk, 1, diskBytes)
        .hbase(true)
        .configure(
            Role.MASTER,
            o ->
                o.conf("hbase.master.hfilecleaner.ttl", "1000")
                    .conf("hbase.master.logcleaner.ttl", "1000")
                    .conf("hbase.master.cleaner.interval", "5000"))
        .configure(
            Role.REGIONSERVER,
            o ->
                o.conf("hbase.hregion.majorcompaction", "0")
                    .conf("hbase.regionserver.optionalcacheflushinterval", "0"));
  }
}
