// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsTest {

  @Test
  void areAllDifferentAndFree() throws IOException {
    List<Integer> ports = Ports.free(50);
    assertEquals(50, new HashSet<>(ports).size());
    for (int port : ports) {
      // Linux takes the ports of outgoing connections from 32768 on.
      assertTrue(port > 1024 && port < 32768, "port " + port);
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
  }
}
