// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;

/** A client that is connected, and the DataNode's end of that as a DataXceiver has it. */
final class Connected implements AutoCloseable {

  private final SocketChannel client;
  private final Peer peer;

  Connected() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      client = SocketChannel.open(server.getLocalAddress());
      peer = DFSUtilClient.peerFromSocket(server.accept().socket());
    }
  }

  Peer peer() {
    return peer;
  }

  ClientConnection connection() {
    return ClientConnection.of(peer);
  }

  void clientWrites(int bytes) throws IOException {
    client.write(ByteBuffer.allocate(bytes));
  }

  void dataNodeWrites(int bytes) throws IOException {
    peer.getOutputStream().write(new byte[bytes]);
  }

  void clientCloses() throws IOException {
    client.close();
  }

  @Override
  public void close() throws IOException {
    client.close();
    peer.close();
  }
}
