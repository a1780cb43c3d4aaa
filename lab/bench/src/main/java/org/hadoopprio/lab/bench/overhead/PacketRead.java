package org.hadoopprio.lab.bench.overhead;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.ClientReadStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;

/**
 * A read of a part of a block that counts the packets and throws them away, so that it leaves the
 * processors to the DataNode. It asks as an HDFS client does.
 *
 * <p>On the wire a packet is the length of its payload and 4, the length of its header, the header,
 * and the payload: checksums and data (PacketReceiver). The last packet has no payload. Used by one
 * thread at a time.
 */
final class PacketRead implements Closeable {

  /** Data bytes for each checksum, and its bytes, as HDFS writes files by default. */
  private static final int CHUNK_BYTES = 512;

  private static final int CHECKSUM_BYTES = 4;

  private static final String CLIENT = "hprio-bench-overhead";
  private static final int TIMEOUT_MS = 60_000;
  private static final int LENGTH_BYTES = 4;
  private static final int LENGTHS_BYTES = LENGTH_BYTES + 2;

  private final SocketChannel channel;
  private final LocatedBlock block;
  private final long offset;
  private final long length;
  private final boolean checksums;
  private final boolean dropBehind;
  private final ByteBuffer lengths = ByteBuffer.allocate(LENGTHS_BYTES);

  /** How much of the present packet is still to come. */
  private long toSkip;

  private long packets;
  private long payload;
  private boolean last;

  private PacketRead(
      SocketChannel channel,
      LocatedBlock block,
      long offset,
      long length,
      boolean checksums,
      boolean dropBehind) {
    this.channel = channel;
    this.block = block;
    this.offset = offset;
    this.length = length;
    this.checksums = checksums;
    this.dropBehind = dropBehind;
  }

  /**
   * Opens a connection and begins a read; returns when the DataNode has accepted it.
   *
   * @param length in bytes, within the block
   * @param checksums whether the DataNode shall send them; without, it does not open their file
   * @param dropBehind whether the DataNode shall drop from its page cache what it has read
   * @param receiveBuffer of the socket, in bytes
   * @throws IOException if the DataNode refuses, or does not answer for 60 s
   */
  static PacketRead open(
      InetSocketAddress dataNode,
      LocatedBlock block,
      long offset,
      long length,
      boolean checksums,
      boolean dropBehind,
      int receiveBuffer)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().setSoTimeout(TIMEOUT_MS);
      channel.socket().connect(dataNode, TIMEOUT_MS);
      PacketRead read = new PacketRead(channel, block, offset, length, checksums, dropBehind);
      read.ask(false);
      return read;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Reads the same again on the same connection, as an HDFS client does, when it is done.
   *
   * @throws IOException if the DataNode refuses, or does not answer for 60 s
   */
  void again() throws IOException {
    channel.configureBlocking(true);
    last = false;
    ask(true);
  }

  private void ask(boolean again) throws IOException {
    Socket socket = channel.socket();
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    if (again) {
      ClientReadStatusProto.newBuilder()
          .setStatus(Status.CHECKSUM_OK)
          .build()
          .writeDelimitedTo(out);
    }
    new Sender(out)
        .readBlock(
            block.getBlock(),
            block.getBlockToken(),
            CLIENT,
            offset,
            length,
            checksums,
            dropBehind ? CachingStrategy.newDropBehind() : CachingStrategy.newDefaultStrategy());
    DataTransferProtoUtil.checkBlockOpStatus(
        BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(socket.getInputStream())),
        what());
    channel.configureBlocking(false);
  }

  private String what() {
    return length + " bytes at " + offset + " of " + block.getBlock();
  }

  /**
   * Takes what has arrived, without waiting.
   *
   * @param scratch is overwritten
   * @return the number of bytes
   * @throws EOFException if the DataNode has ended the read before its last packet
   */
  int take(ByteBuffer scratch) throws IOException {
    int all = 0;
    boolean full = true;
    while (full && !isDone()) {
      scratch.clear();
      int count = channel.read(scratch);
      if (count < 0) {
        throw new EOFException("the DataNode has ended the read of " + what());
      }
      all += count;
      full = !scratch.hasRemaining();
      scratch.flip();
      parse(scratch);
    }
    return all;
  }

  private void parse(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      int skipped = (int) Math.min(toSkip, bytes.remaining());
      bytes.position(bytes.position() + skipped);
      toSkip -= skipped;
      while (toSkip == 0 && lengths.hasRemaining() && bytes.hasRemaining()) {
        lengths.put(bytes.get());
      }
      if (!lengths.hasRemaining()) {
        lengths.flip();
        int withLength = lengths.getInt();
        toSkip = (long) withLength - LENGTH_BYTES + lengths.getShort();
        lengths.clear();
        packets++;
        payload += withLength - LENGTH_BYTES;
        last = withLength == LENGTH_BYTES;
      }
    }
  }

  /** Whether all of it has arrived. */
  boolean isDone() {
    return last && toSkip == 0;
  }

  /** How many packets have begun to arrive since the first read, those without data included. */
  long packets() {
    return packets;
  }

  /** How many bytes of the block these packets hold. */
  long dataBytes() {
    return checksums ? payload * CHUNK_BYTES / (CHUNK_BYTES + CHECKSUM_BYTES) : payload;
  }

  /** Ends the read, also in its middle, as a client does that needs no more. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
