package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/**
 * Chooses the read type of a prioritised scan if its client has not.
 *
 * <p>By default, HBase starts with positioned reads and changes to a stream if the scan turns out
 * to be long. It opens that stream after a response was sent, when no call is current, and below
 * any scanner that a coprocessor has wrapped around it. So the stream would not get the priority.
 */
final class ScanReadType {

  /** A scan limited to at most this many rows counts as short. */
  static final int SHORT_SCAN_ROWS = 100;

  private ScanReadType() {}

  /** Sets the read type of a scan that is about to be opened with a priority. */
  static void settle(Scan scan, IoPriority priority, RpcCall call) {
    if (scan.getReadType() == Scan.ReadType.DEFAULT && !priority.isNone()) {
      boolean positioned =
          priority.ioClass() == IoClass.REALTIME || scan.isGetScan() || isShort(call);
      scan.setReadType(positioned ? Scan.ReadType.PREAD : Scan.ReadType.STREAM);
    }
  }

  /** Whether the request limits the scan to few rows; the scan itself does not hold the limit. */
  private static boolean isShort(RpcCall call) {
    Message parameter = call.getParam();
    if (!(parameter instanceof ScanRequest) || !((ScanRequest) parameter).hasLimitOfRows()) {
      return false;
    }
    int limit = ((ScanRequest) parameter).getLimitOfRows();
    return limit > 0 && limit <= SHORT_SCAN_ROWS;
  }
}
