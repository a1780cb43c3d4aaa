// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Free TCP ports. */
final class Ports {

  /** Below the range that Linux takes the ports of outgoing connections from (32768 on). */
  private static final int FIRST = 20000;

  private static final int COUNT = 12000;
  private static final int MAX_TRIES = 1000;

  private Ports() {}

  /**
   * Finds ports that nobody listens on, in a row. Clusters that are started at the same time do not
   * see each other's ports yet: rows from random places meet far less often than single ports.
   */
  static List<Integer> free(int count) throws IOException {
    Random random = new Random();
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      int first = FIRST + random.nextInt(COUNT - count);
      if (IntStream.range(first, first + count).allMatch(Ports::isFree)) {
        return IntStream.range(first, first + count).boxed().collect(Collectors.toList());
      }
    }
    throw new ClusterException("no " + count + " free TCP ports in a row from " + FIRST + " on");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
