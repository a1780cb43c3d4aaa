// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.hadoopprio.tools.node.DaemonPages;

/** The HTTP pages of the local cluster's daemons. */
final class DaemonHttp {

  private DaemonHttp() {}

  private static DaemonPages pages(int port) {
    return new DaemonPages("127.0.0.1:" + port);
  }

  /** The MBeans a query finds; an empty array when there is none. */
  static JsonNode jmx(int port, String query) throws IOException {
    return pages(port).jmx(query);
  }

  /** Sets a logger's level in the running daemon. */
  static void setLogLevel(int port, String logger, String level) throws IOException {
    String answer =
        pages(port)
            .get(
                "/logLevel?log="
                    + DaemonPages.encode(logger)
                    + "&level="
                    + DaemonPages.encode(level));
    if (!answer.contains("Setting Level to")) {
      throw new ClusterException(
          "the daemon did not set the level of " + logger + " to " + level + ": " + answer);
    }
  }

  /** A page's text. */
  static String get(int port, String path) throws IOException {
    return pages(port).get(path);
  }
}
