// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;

/**
 * The answer of a DataNode that does not read a block, because it would be too late: the stock
 * answer with status ERROR, and a message that begins with {@value #MARK}. Only a client that has
 * said so ({@link Hint#mayRefuse}) gets it.
 */
public final class RefusedAnswer {

  /** Recognised by clients, so it never changes. */
  private static final String MARK = "hadoop-prio: late";

  /** What {@link RefusedReadException#expected} says, also recognised by clients. */
  private static final Pattern EXPECTED = Pattern.compile(" take ([0-9]{1,9}) ms now");

  private RefusedAnswer() {}

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

  /**
   * How long the DataNode expects a read to take.
   *
   * @param failure what an HDFS client has thrown because of such an answer
   * @return in nanoseconds; 0 if it does not say so
   */
  public static long expectedNanos(IOException failure) {
    Matcher said = EXPECTED.matcher(isCauseOf(failure) ? failure.getMessage() : "");
    return said.find() ? TimeUnit.MILLISECONDS.toNanos(Long.parseLong(said.group(1))) : 0;
  }
}
