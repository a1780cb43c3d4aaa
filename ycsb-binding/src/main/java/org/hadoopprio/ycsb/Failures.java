// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import site.ycsb.Status;

/** Converts a failure of the HBase client to YCSB's status. */
final class Failures {

  private Failures() {}

  /** The status of a failed operation, by the failure or its causes. */
  static Status statusOf(IOException failure) {
    Status own = ownStatus(failure);
    if (own != null) {
      return own;
    }
    for (Throwable t = failure.getCause(); t != null; t = t.getCause()) {
      Status status = ownStatus(t);
      if (status != null) {
        return status;
      }
    }
    return failure instanceof RetriesExhaustedException ? Status.SERVICE_UNAVAILABLE : Status.ERROR;
  }

  private static Status ownStatus(Throwable t) {
    if (t instanceof RetriesExhaustedWithDetailsException) {
      RetriesExhaustedWithDetailsException batch = (RetriesExhaustedWithDetailsException) t;
      return batch.getNumExceptions() == 0 ? null : ownStatus(batch.getCause(0));
    }
    if (t instanceof AccessDeniedException) {
      return Status.FORBIDDEN;
    }
    if (t instanceof TableNotFoundException || t instanceof NoSuchColumnFamilyException) {
      return Status.BAD_REQUEST;
    }
    if (t instanceof CallTimeoutException
        || t instanceof SocketTimeoutException
        || t instanceof ConnectException
        || t instanceof CallQueueTooBigException
        || t instanceof RegionTooBusyException
        || t instanceof NotServingRegionException) {
      return Status.SERVICE_UNAVAILABLE;
    }
    return null;
  }
}
