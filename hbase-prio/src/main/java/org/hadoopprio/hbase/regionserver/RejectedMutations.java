package org.hadoopprio.hbase.regionserver;

import java.util.Arrays;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

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
   * Whether a mutation is done together with others that must not fail with it: a Put or Delete of
   * a batch, in no group that is done as a whole or on a condition.
   */
  static boolean isWithOthers(RpcCall call, Mutation mutation) {
    Message parameter = call.getParam();
    return (mutation instanceof Put || mutation instanceof Delete)
        && parameter instanceof MultiRequest
        && ((MultiRequest) parameter)
            .getRegionActionList().stream()
                .noneMatch(region -> isWhole(region) && hasRow(region, mutation.getRow()));
  }

  private static boolean isWhole(RegionAction region) {
    return region.getAtomic() || region.hasCondition();
  }

  /** A group is of one row, so the row tells whether a mutation is in it. */
  private static boolean hasRow(RegionAction region, byte[] row) {
    for (Action action : region.getActionList()) {
      if (action.hasMutation() && Arrays.equals(action.getMutation().getRow().toByteArray(), row)) {
        return true;
      }
    }
    return false;
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
