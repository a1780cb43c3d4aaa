package org.hadoopprio.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.CachingStrategyProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.scheduler.BlockRead;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the operations of one DataXceiver thread, one after the other. */
class DataNodeReadsTest {

  private static final Configuration CONF = new Configuration(false);

  @BeforeEach
  void linux() {
    assumeTrue(ThreadIoPriority.unavailableReason() == null, ThreadIoPriority.unavailableReason());
  }

  /** Any message is suitable, because the field is the same in all. */
  private static Message operation() {
    return CachingStrategyProto.getDefaultInstance();
  }

  private static Message malformed() {
    return operation().toBuilder()
        .setUnknownFields(
            UnknownFieldSet.newBuilder()
                .addField(
                    PriorityField.NUMBER,
                    UnknownFieldSet.Field.newBuilder()
                        .addLengthDelimited(ByteString.copyFrom(new byte[] {8, 9}))
                        .build())
                .build())
        .build();
  }

  private static IoPriority servedAt() {
    Object admitted =
        DataNodeReads.admitRead(CONF, BlockRead.unknown(), null, false, "client", "/127.0.0.1:1");
    IoPriority served = ThreadIoPriority.applied();
    DataNodeReads.finishRead(admitted);
    assertNull(ThreadIoPriority.applied());
    return served;
  }

  @Test
  void eachOperationHasItsOwnPriority() {
    DataNodeReads.operationParsed(PriorityField.write(operation(), IoPriority.IDLE));
    assertEquals(IoPriority.IDLE, servedAt());
    DataNodeReads.operationParsed(operation());
    assertNull(servedAt());
  }

  @Test
  void aParsedOperationThatNeverBeganLeavesNothing() {
    DataNodeReads.operationParsed(PriorityField.write(operation(), IoPriority.IDLE));
    DataNodeReads.operationParsed(operation());
    assertNull(servedAt());
  }

  @Test
  void aMalformedPriorityIsCountedAndServedAsNormal() {
    long before = PriorityMetrics.MALFORMED.sum();
    DataNodeReads.operationParsed(malformed());
    assertNull(servedAt());
    assertEquals(before + 1, PriorityMetrics.MALFORMED.sum());
  }
}
