// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * Gets whose blocks are read together. Stateless, so thread-safe.
 *
 * <p>A RegionServer does the Gets of a multi-get ({@code table.get(List)}) one after the other, and
 * so asks the disk for one block at a time (RSRpcServices.doNonAtomicRegionMutation). Here each Get
 * is a call of its own. The handlers serve them at the same time, and the drive can choose the
 * nearest block next. It costs a call for each Get, and handlers; if all blocks are cached, a
 * multi-get is cheaper.
 */
public final class ParallelGets {

  private ParallelGets() {}

  /**
   * Sends all Gets at once.
   *
   * @param gets with priorities and latency targets of their own; set the same for all of which
   *     somebody waits for the last
   * @return the results in the order of the Gets; completed exceptionally with the failure of one
   *     of them when all have ended
   */
  public static CompletableFuture<List<Result>> get(AsyncTable<?> table, List<Get> gets) {
    List<CompletableFuture<Result>> calls = new ArrayList<>(gets.size());
    for (Get get : gets) {
      calls.add(table.get(get));
    }
    return CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            done -> {
              List<Result> results = new ArrayList<>(calls.size());
              calls.forEach(call -> results.add(call.join()));
              return results;
            });
  }
}
