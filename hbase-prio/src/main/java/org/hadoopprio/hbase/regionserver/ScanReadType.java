package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/**
 * Chooses how a prioritised scan reads where its client left that open.
 *
 * <p>Left open, HBase begins with positioned reads and changes to a stream when the scan turns out
 * long. It opens that stream after a response was sent, with no call current and below any scanner
 * a coprocessor may have put around its own: the priority would not reach it.
 */
final class ScanReadType {

  /** Up to so many rows a scan is taken for a short one. */
  static final int SHORT_SCAN_ROWS = 100;

  private ScanReadType() {}

  /** Settles the read type of a scan that is about to be opened with a priority. */
  static void settle(Scan scan, IoPriority priority, RpcCall call) {
    if (scan.getReadType() == Scan.ReadType.DEFAULT && !priority.isNone()) {
      boolean positioned =
          priority.ioClass() == IoClass.REALTIME || scan.isGetScan() || isShort(call);
      scan.setReadType(positioned ? Scan.ReadType.PREAD : Scan.ReadType.STREAM);
    }
  }

  /** The row limit travels in the request, not in the scan. */
  private static boolean isShort(RpcCall call) {
    Message parameter = call.getParam();
    if (!(parameter instanceof ScanRequest) || !((ScanRequest) parameter).hasLimitOfRows()) {
      return false;
    }
    int limit = ((ScanRequest) parameter).getLimitOfRows();
    return limit > 0 && limit <= SHORT_SCAN_ROWS;
  }
}
