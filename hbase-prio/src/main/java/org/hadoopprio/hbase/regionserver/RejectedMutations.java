// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;

/**
 * The Puts and Deletes of batches that the policy rejects. HBase does those of a region together
 * and would fail all of them at an exception of the hook for one; so the hook for the batch fails
 * the rejected ones. Thread-safe.
 */
final class RejectedMutations {

  /** Why; by identity, as long as they are. */
  private static final ConcurrentMap<Mutation, String> REJECTED =
      new MapMaker().weakKeys().makeMap();

  private RejectedMutations() {}

  /**
   * Whether a mutation of a batch is done together with others that must not fail with it: a Put or
   * Delete in no group that is done as a whole or on a condition.
   */
  static boolean isWithOthers(RpcCall call, Mutation mutation) {
    return (mutation instanceof Put || mutation instanceof Delete)
        && !HandlerCall.contentsOf(call).isDoneAsAWhole(mutation.getRow());
  }

  static void add(Mutation mutation, DoNotRetryIOException why) {
    REJECTED.put(mutation, why.getMessage());
  }

  static boolean has(Mutation mutation) {
    return !REJECTED.isEmpty() && REJECTED.containsKey(mutation);
  }

  /** Fails those that are in the batch; its client gets a DoNotRetryIOException for each. */
  static void failIn(MiniBatchOperationInProgress<Mutation> batch) {
    int size = batch.size();
    if (REJECTED.isEmpty()) {
      return;
    }
    for (int i = 0; i < size; i++) {
      String why = REJECTED.remove(batch.getOperation(i));
      if (why != null) {
        batch.setOperationStatus(i, new OperationStatus(OperationStatusCode.FAILURE, why));
      }
    }
  }
}
