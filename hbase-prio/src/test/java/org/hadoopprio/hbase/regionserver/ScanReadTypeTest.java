package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Scan.ReadType;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;

class ScanReadTypeTest {

  @Test
  void longScansStreamAndUrgentOrShortOnesDoNot() {
    assertEquals(ReadType.STREAM, settled(new Scan(), "idle", 0));
    assertEquals(ReadType.STREAM, settled(new Scan(), "be:0", ScanReadType.SHORT_SCAN_ROWS + 1));
    assertEquals(ReadType.PREAD, settled(new Scan(), "be:7", ScanReadType.SHORT_SCAN_ROWS));
    assertEquals(ReadType.PREAD, settled(new Scan(), "rt", 0));
    assertEquals(ReadType.PREAD, settled(new Scan(new Get(Bytes.toBytes("r"))), "idle", 0));
  }

  @Test
  void theClientsOwnChoiceAndTheAbsenceOfPriorityAreLeftAlone() {
    assertEquals(ReadType.PREAD, settled(new Scan().setReadType(ReadType.PREAD), "idle", 0));
    assertEquals(ReadType.STREAM, settled(new Scan().setReadType(ReadType.STREAM), "rt:0", 1));
    assertEquals(ReadType.DEFAULT, settled(new Scan(), "none", 0));
  }

  private static ReadType settled(Scan scan, String priority, int limit) {
    ScanRequest.Builder request = ScanRequest.newBuilder();
    if (limit > 0) {
      request.setLimitOfRows(limit);
    }
    RpcCall call = Calls.call(request.build(), null, null);
    ScanReadType.settle(scan, IoPriority.parse(priority), call);
    return scan.getReadType();
  }
}
