package org.hadoopprio.hdfs.wire;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;

/**
 * The answer of a DataNode that does not read a block, because it would be too late: the stock
 * answer with status ERROR, and a message that begins with {@value #MARK}. Only a client that has
 * said so ({@link Hint#mayRefuse}) gets it.
 */
public final class LateAnswer {

  /** Recognised by clients, so it never changes. */
  private static final String MARK = "hadoop-prio: late";

  private LateAnswer() {}

  /** Sends it in place of the answer to the operation that the client has sent last. */
  public static void send(String reason, OutputStream out) throws IOException {
    BlockOpResponseProto.newBuilder()
        .setStatus(Status.ERROR)
        .setMessage(MARK + ": " + reason)
        .build()
        .writeDelimitedTo(out);
    out.flush();
  }

  /** Whether an HDFS client has thrown the exception because of such an answer. */
  public static boolean isCauseOf(IOException failure) {
    String message = failure.getMessage();
    return message != null && message.contains(MARK);
  }
}
