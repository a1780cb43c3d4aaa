// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.junit.jupiter.api.Test;

class RefusedAnswerTest {

  /** What a stock HDFS client throws when it has read the answer. */
  private static IOException thrown(String reason) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RefusedAnswer.send(reason, out);
    BlockOpResponseProto answer =
        BlockOpResponseProto.parseDelimitedFrom(new ByteArrayInputStream(out.toByteArray()));
    assertEquals(Status.ERROR, answer.getStatus());
    return assertThrows(
        IOException.class,
        () -> DataTransferProtoUtil.checkBlockOpStatus(answer, "for OP_READ_BLOCK"));
  }

  @Test
  void aClientRecognisesIt() throws IOException {
    IOException thrown = thrown("reads take 300 ms");
    assertTrue(RefusedAnswer.isCauseOf(thrown));
    assertTrue(thrown.getMessage().contains("reads take 300 ms"), thrown.getMessage());
  }

  @Test
  void aClientLearnsWhatReadsTake() throws IOException {
    long nanos = TimeUnit.MILLISECONDS.toNanos(101);
    RefusedReadException reason = RefusedReadException.expected("/data/1", nanos);
    assertEquals(nanos, RefusedAnswer.expectedNanos(thrown(reason.getMessage())));
    assertEquals(0, RefusedAnswer.expectedNanos(thrown("the drive gave up")));
    assertEquals(0, RefusedAnswer.expectedNanos(new IOException(reason.getMessage())));
    assertEquals(0, RefusedAnswer.expectedNanos(new IOException()));
  }

  @Test
  void otherFailuresAreNone() {
    assertFalse(RefusedAnswer.isCauseOf(new IOException("Got error, status=ERROR")));
    assertFalse(RefusedAnswer.isCauseOf(new IOException()));
  }
}
