// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtocol;
import org.apache.hadoop.hdfs.protocol.datatransfer.Op;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BaseHeaderProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.ClientOperationHeaderProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpReadBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hadoopprio.hdfs.wire.PriorityField;

/** An operation written byte by byte, with whatever is given in the place of the priority. */
final class RawRead {

  private RawRead() {}

  /**
   * Sends an OpReadBlock to the block's first DataNode and reads the answer and the data to their
   * end.
   */
  static Status send(LocatedBlock block, byte[] priorityContent, int length) throws IOException {
    return send(block, Op.READ_BLOCK, read(block, priorityContent, length));
  }

  /** The same by a client that reads nothing of it; the caller closes its connection. */
  static Socket open(LocatedBlock block, byte[] priorityContent, int length) throws IOException {
    Socket socket = connect(block);
    Message operation = read(block, priorityContent, length);
    write(Op.READ_BLOCK, operation, new DataOutputStream(socket.getOutputStream()));
    return socket;
  }

  private static Message read(LocatedBlock block, byte[] priorityContent, int length) {
    return OpReadBlockProto.newBuilder()
        .setHeader(
            ClientOperationHeaderProto.newBuilder()
                .setClientName("raw")
                .setBaseHeader(header(block)))
        .setOffset(0)
        .setLen(length)
        .setUnknownFields(priority(priorityContent))
        .build();
  }

  /** Sends an OpBlockChecksum to the block's first DataNode and reads the answer. */
  static Status sendChecksum(LocatedBlock block, byte[] priorityContent) throws IOException {
    return send(
        block,
        Op.BLOCK_CHECKSUM,
        OpBlockChecksumProto.newBuilder()
            .setHeader(header(block))
            .setUnknownFields(priority(priorityContent))
            .build());
  }

  private static BaseHeaderProto.Builder header(LocatedBlock block) {
    return BaseHeaderProto.newBuilder()
        .setBlock(PBHelperClient.convert(block.getBlock()))
        .setToken(PBHelperClient.convert(block.getBlockToken()));
  }

  private static UnknownFieldSet priority(byte[] content) {
    UnknownFieldSet.Field field =
        UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.copyFrom(content)).build();
    return UnknownFieldSet.newBuilder().addField(PriorityField.NUMBER, field).build();
  }

  private static Socket connect(LocatedBlock block) throws IOException {
    DatanodeInfo dataNode = block.getLocations()[0];
    return new Socket(dataNode.getIpAddr(), dataNode.getXferPort());
  }

  private static void write(Op op, Message operation, DataOutputStream out) throws IOException {
    out.writeShort(DataTransferProtocol.DATA_TRANSFER_VERSION);
    op.write(out);
    operation.writeDelimitedTo(out);
    out.flush();
  }

  private static Status send(LocatedBlock block, Op op, Message operation) throws IOException {
    try (Socket socket = connect(block);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        DataInputStream in = new DataInputStream(socket.getInputStream())) {
      write(op, operation, out);
      Status status = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in)).getStatus();
      socket.shutdownOutput();
      in.readAllBytes();
      return status;
    }
  }
}
