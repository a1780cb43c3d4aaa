// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.bed;

import java.io.IOException;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.VolumeMode;

/** A way to serve what is measured, which running daemons can change to. */
public interface TriedSystem {

  /** Of the DataNodes. */
  SchedulerMode mode();

  /** Gives running daemons this configuration; it applies to what begins afterwards. */
  default void apply(LocalCluster cluster) throws IOException {
    VolumeMode.set(cluster, mode());
  }
}
