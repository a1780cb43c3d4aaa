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
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpReadBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hadoopprio.hdfs.wire.PriorityField;

/** An OpReadBlock written byte by byte, with whatever is given in the place of the priority. */
final class RawRead {

  private RawRead() {}

  /** Sends it to the block's first DataNode and reads the answer and the data to their end. */
  static Status send(LocatedBlock block, byte[] priorityContent, int length) throws IOException {
    UnknownFieldSet.Field field =
        UnknownFieldSet.Field.newBuilder()
            .addLengthDelimited(ByteString.copyFrom(priorityContent))
            .build();
    OpReadBlockProto operation =
        OpReadBlockProto.newBuilder()
            .setHeader(
                ClientOperationHeaderProto.newBuilder()
                    .setClientName("raw")
                    .setBaseHeader(
                        BaseHeaderProto.newBuilder()
                            .setBlock(PBHelperClient.convert(block.getBlock()))
                            .setToken(PBHelperClient.convert(block.getBlockToken()))))
            .setOffset(0)
            .setLen(length)
            .setUnknownFields(
                UnknownFieldSet.newBuilder().addField(PriorityField.NUMBER, field).build())
            .build();
    DatanodeInfo dataNode = block.getLocations()[0];
    try (Socket socket = new Socket(dataNode.getIpAddr(), dataNode.getXferPort());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        DataInputStream in = new DataInputStream(socket.getInputStream())) {
      out.writeShort(DataTransferProtocol.DATA_TRANSFER_VERSION);
      Op.READ_BLOCK.write(out);
      operation.writeDelimitedTo(out);
      out.flush();
      Status status = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in)).getStatus();
      socket.shutdownOutput();
      in.readAllBytes();
      return status;
    }
  }
}
