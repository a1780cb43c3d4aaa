package org.hadoopprio.hdfs.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.junit.jupiter.api.Test;

class LateAnswerTest {

  /** As stock HDFS clients read it. */
  @Test
  void aClientRecognisesIt() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LateAnswer.send("reads take 300 ms", out);
    BlockOpResponseProto answer =
        BlockOpResponseProto.parseDelimitedFrom(new ByteArrayInputStream(out.toByteArray()));
    assertEquals(Status.ERROR, answer.getStatus());
    IOException thrown =
        assertThrows(
            IOException.class,
            () -> DataTransferProtoUtil.checkBlockOpStatus(answer, "for OP_READ_BLOCK"));
    assertTrue(LateAnswer.isCauseOf(thrown));
    assertTrue(thrown.getMessage().contains("reads take 300 ms"), thrown.getMessage());
  }

  @Test
  void otherFailuresAreNone() {
    assertFalse(LateAnswer.isCauseOf(new IOException("Got error, status=ERROR")));
    assertFalse(LateAnswer.isCauseOf(new IOException()));
  }
}
