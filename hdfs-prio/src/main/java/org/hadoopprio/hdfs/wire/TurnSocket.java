// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

/**
 * The place of the socket at which a DataNode takes {@link TurnRequest}s: beside the one that HDFS
 * itself uses for short circuit.
 */
public final class TurnSocket {

  private static final String SUFFIX = ".ioprio";

  private TurnSocket() {}

  /**
   * The path of the socket.
   *
   * @param domainSocketPath the value of dfs.domain.socket.path, the port filled in
   */
  public static String path(String domainSocketPath) {
    return domainSocketPath + SUFFIX;
  }
}
