// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Starts HDFS with one DataNode in the directory that the argument names, and leaves it running.
 */
public final class ClusterUp {

  private ClusterUp() {}

  public static void main(String[] args) throws IOException {
    LocalCluster.builder(Path.of(args[0])).hbase(false).yarn(false).dataNodes(1).start();
  }
}
