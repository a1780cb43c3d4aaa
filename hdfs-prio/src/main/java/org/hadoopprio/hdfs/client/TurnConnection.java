// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;

/**
 * One connection to the socket at which a DataNode gives turns to short-circuit reads. Used by one
 * thread at a time.
 */
final class TurnConnection implements Closeable {

  /** A DataNode that is alive says within this time that the read may go, or has to wait. */
  static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Longer than a DataNode lets any read wait. */
  static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(25);

  /** How often a thread that waits looks whether it was interrupted. */
  private static final int LOOK_MILLIS = 250;

  private final DomainSocket socket;

  private TurnConnection(DomainSocket socket) {
    this.socket = socket;
  }

  /**
   * Connects.
   *
   * @throws IOException if nobody listens at that path
   */
  static TurnConnection open(String path) throws IOException {
    DomainSocket socket = DomainSocket.connect(path);
    boolean ready = false;
    try {
      socket.setAttribute(DomainSocket.RECEIVE_TIMEOUT, LOOK_MILLIS);
      socket.setAttribute(DomainSocket.SEND_TIMEOUT, LOOK_MILLIS);
      ready = true;
    } finally {
      if (!ready) {
        socket.close();
      }
    }
    return new TurnConnection(socket);
  }

  /**
   * Asks, and waits for the answer.
   *
   * @return null if the calling thread was interrupted meanwhile; it stays interrupted
   * @throws InterruptedIOException if there is no answer in time
   * @throws IOException if the connection has ended, or the answer is none of this version
   */
  TurnAnswer ask(TurnRequest request) throws IOException {
    request.writeTo(socket.getOutputStream());
    long asked = System.nanoTime();
    long patience = SILENCE_NANOS;
    while (true) {
      try {
        TurnAnswer answer = TurnAnswer.read(socket.getInputStream());
        if (!answer.isWait()) {
          return answer;
        }
        patience = WAIT_NANOS;
      } catch (InterruptedIOException e) {
        if (Thread.currentThread().isInterrupted()) {
          return null;
        }
        if (System.nanoTime() - asked >= patience) {
          throw new InterruptedIOException(
              "no answer in " + TimeUnit.NANOSECONDS.toSeconds(patience) + " s");
        }
      }
    }
  }

  /** Says that the read is done. */
  void leave() throws IOException {
    TurnRequest.LEFT.writeTo(socket.getOutputStream());
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }
}
