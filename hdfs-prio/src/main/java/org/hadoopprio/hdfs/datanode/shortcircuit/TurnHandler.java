// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import java.io.IOException;
import java.io.OutputStream;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;

/** Decides when the client of one connection may read. Used by the connection's thread only. */
interface TurnHandler {

  /**
   * Waits until the client may read, and says so.
   *
   * @param client where to send {@link TurnAnswer#WAIT} if the read has to wait
   * @return the answer, which the caller sends; {@link #leave} must follow
   * @throws IOException if the client could not be told to wait
   */
  TurnAnswer enter(TurnRequest request, OutputStream client) throws IOException;

  /** The client has read what it asked for, or is gone. A second call does nothing. */
  void leave();
}
