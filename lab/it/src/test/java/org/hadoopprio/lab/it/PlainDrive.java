// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.testing.Need;

/** One DataNode on a virtual disk whose drive knows no priority. */
final class PlainDrive {

  private static final long DISK_BYTES = 4L << 30;

  private PlainDrive() {}

  /** A cluster of this test class's own; without a virtual disk the test is skipped. */
  static ClusterBuilder of(Class<?> test) throws IOException {
    Need.VIRTUAL_DISK.require(Vhdd.unavailable());
    return Clusters.of(test)
        .hbase(false)
        .yarn(false)
        .dataNodes(1)
        .disk(DiskKind.VIRTUAL)
        .diskBytes(DISK_BYTES);
  }

  /**
   * Writes files, which nobody has read when this returns.
   *
   * @param files by path, their sizes in MiB
   */
  static void write(LocalCluster cluster, FileSystem fs, Map<Path, Integer> files)
      throws IOException {
    VirtualDisk.fast(
        cluster.disks(),
        () -> {
          for (Map.Entry<Path, Integer> file : files.entrySet()) {
            SampleFile.write(fs, file.getKey(), file.getValue());
          }
        });
    ((VirtualDisk) cluster.disks().get(0)).vhdd().set(Map.of("mode", "ncq"));
  }
}
