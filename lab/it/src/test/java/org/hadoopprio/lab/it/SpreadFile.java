// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.lab.cluster.LocalCluster;

/** A file of many blocks with one replica each: so many that every DataNode surely has some. */
final class SpreadFile {

  private static final Path FILE = new Path("/spread");
  private static final int BLOCKS = 40;

  static final int BYTES = BLOCKS * Clusters.MIB;

  private SpreadFile() {}

  static void write(LocalCluster cluster) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf());
        FSDataOutputStream out = fs.create(FILE, true, 1 << 16, (short) 1, Clusters.MIB)) {
      byte[] chunk = new byte[Clusters.MIB];
      for (int i = 0; i < BLOCKS; i++) {
        out.write(chunk);
      }
    }
  }

  /** Reads all of it, as an HDFS client with the agent, which this JVM is. */
  static void read(LocalCluster cluster, IoPriority priority) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf());
        PriorityScope scope = PriorityScope.open(priority);
        FSDataInputStream in = fs.open(FILE)) {
      in.readFully(new byte[BYTES]);
    }
  }
}
