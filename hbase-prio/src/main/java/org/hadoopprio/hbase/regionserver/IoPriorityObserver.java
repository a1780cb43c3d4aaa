// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.log.HopTrace;
import org.hadoopprio.metrics.PriorityMetrics;

/**
 * Tells the HDFS client in a RegionServer the priority of the operation being served. Switch it on
 * with {@code hbase.coprocessor.region.classes}.
 *
 * <p>Each hook runs on the handler just before an operation reads. One observer serves one region;
 * observers share {@link CallPriorityProvider}. HBase reopens the regions of most altered tables;
 * for the others each operation compares the descriptor. If a key of {@link
 * org.hadoopprio.hbase.config.HBaseKeys} cannot be read, the start of the observer fails and the
 * RegionServer stops.
 *
 * <p>If another coprocessor sends an operation of its own to a region while the handler serves a
 * client's, that operation replaces the client's until the next hook. Its own attribute decides
 * first, then the call's.
 */
public final class IoPriorityObserver implements RegionCoprocessor, RegionObserver {

  private static final int TRACED_ROW_BYTES = 32;
  private static final String KIND = "mutation";

  private PriorityPolicy policy;
  private CallPriorityProvider provider;
  private volatile TablePriority table;

  /** Empty in an HBase that this module does not fit. */
  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return HBaseFit.fits() ? Optional.of(this) : Optional.empty();
  }

  @Override
  public Optional<EndpointObserver> getEndpointObserver() {
    return HBaseFit.fits() ? Optional.of(new EndpointPriority(this)) : Optional.empty();
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    if (!HBaseFit.fits()) {
      return;
    }
    RegionCoprocessorEnvironment region = (RegionCoprocessorEnvironment) environment;
    policy = PriorityPolicy.from(regionServerConfiguration(region));
    provider = CallPriorityProvider.install(policy);
    OnlineRegions regions = region.getOnlineRegions();
    BlockedWriters.setServer(regions);
    if (regions != null) {
      PriorityMetrics.setRegions(() -> observed(regions));
    }
    table = TablePriority.of(region.getRegion().getTableDescriptor());
  }

  /**
   * The RegionServer's configuration. The region's own includes its table's settings, with which a
   * table's owner could raise the limit.
   */
  private static Configuration regionServerConfiguration(RegionCoprocessorEnvironment region) {
    Connection connection = region.getConnection();
    return connection == null ? region.getConfiguration() : connection.getConfiguration();
  }

  /**
   * How many regions have an observer now. HBase is asked, because it can replace the coprocessors
   * of an open region when its configuration changes, and tells neither the old nor the new.
   */
  private static int observed(OnlineRegions regions) {
    int number = 0;
    try {
      for (Region each : regions.getRegions()) {
        RegionCoprocessorHost host = ((HRegion) each).getCoprocessorHost();
        number += host.findCoprocessor(IoPriorityObserver.class) == null ? 0 : 1;
      }
    } catch (RuntimeException | LinkageError e) {
      // Of an HBase with other methods; it must not end the thread that collects all metrics.
      return 0;
    }
    return number;
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    Guarded.run(() -> RegionTables.opened(c.getEnvironment().getRegionInfo(), table));
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> c, boolean abortRequested) {
    Guarded.run(() -> RegionTables.closed(c.getEnvironment().getRegionInfo(), table));
  }

  /** Also runs for an exists, which HBase serves as a Get. */
  @Override
  public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result)
      throws IOException {
    // Each Get of a batch counts, also if all have the priority of their request or connection.
    Guarded.run(() -> note(c, get, get.getAttribute(IoPriority.ATTRIBUTE), "get", get.getRow()));
  }

  @Override
  public void postGetOp(
      ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result) {
    Guarded.run(HandlerCall::isServed);
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit)
      throws IOException {
    // It reads nothing itself, so no other hook is called for it.
    noteMutation(c, put, false);
  }

  @Override
  public void preDelete(
      ObserverContext<RegionCoprocessorEnvironment> c, Delete delete, WALEdit edit)
      throws IOException {
    noteMutation(c, delete, true);
  }

  @Override
  public Result preIncrement(
      ObserverContext<RegionCoprocessorEnvironment> c, Increment increment, WALEdit edit)
      throws IOException {
    noteMutation(c, increment, true);
    return null;
  }

  @Override
  public Result preAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, Append append, WALEdit edit)
      throws IOException {
    noteMutation(c, append, true);
    return null;
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch) {
    Guarded.run(() -> RejectedMutations.failIn(batch));
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch) {
    Guarded.run(HandlerCall::isServed);
  }

  // A batch calls the hooks above for all its mutations before the first of them reads. HBase calls
  // the next three right before each mutation's read. They are deprecated but have no replacement.

  @Override
  @SuppressWarnings("deprecation")
  public Result preIncrementAfterRowLock(
      ObserverContext<RegionCoprocessorEnvironment> c, Increment increment) throws IOException {
    noteMutation(c, increment, true);
    return null;
  }

  @Override
  @SuppressWarnings("deprecation")
  public Result preAppendAfterRowLock(
      ObserverContext<RegionCoprocessorEnvironment> c, Append append) throws IOException {
    noteMutation(c, append, true);
    return null;
  }

  @Override
  @SuppressWarnings("deprecation")
  public void prePrepareTimeStampForDeleteVersion(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation mutation,
      Cell cell,
      byte[] byteNow,
      Get get)
      throws IOException {
    noteMutation(c, mutation, true);
  }

  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result)
      throws IOException {
    Guarded.run(
        () -> {
          byte[] attribute = IoPriorities.attribute(checkAndMutate);
          // The check is a part of the mutation that states the priority, and counts with it.
          noteMutation(c, stating(checkAndMutate, attribute), attribute, true, "check-and-mutate");
        });
    return result;
  }

  /** Also runs for a check that was false: no mutation, and so no other hook, has followed. */
  @Override
  public CheckAndMutateResult postCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result) {
    Guarded.run(HandlerCall::isServed);
    return result;
  }

  private static Mutation stating(CheckAndMutate checkAndMutate, byte[] attribute) {
    if (!(checkAndMutate.getAction() instanceof RowMutations)) {
      return (Mutation) checkAndMutate.getAction();
    }
    List<Mutation> mutations = ((RowMutations) checkAndMutate.getAction()).getMutations();
    for (Mutation mutation : mutations) {
      if (mutation.getAttribute(IoPriority.ATTRIBUTE) == attribute) {
        return mutation;
      }
    }
    return mutations.get(0);
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan)
      throws IOException {
    Guarded.run(
        () -> {
          byte[] attribute = scan.getAttribute(IoPriority.ATTRIBUTE);
          note(c, attribute, attribute, "scan", scan.getStartRow());
        });
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> c, Scan scan, RegionScanner scanner)
      throws IOException {
    return Guarded.make(
        scanner,
        () -> {
          byte[] attribute = scan.getAttribute(IoPriority.ATTRIBUTE);
          ScanPriority priority = provider.noteScan(attribute, table(c.getEnvironment()));
          return priority == null ? scanner : new PriorityRegionScanner(scanner, priority);
        });
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> c,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext)
      throws IOException {
    requireOwner(c, scanner);
    return hasNext;
  }

  @Override
  public void preScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> c, InternalScanner scanner) throws IOException {
    requireOwner(c, scanner);
  }

  private static void requireOwner(
      ObserverContext<RegionCoprocessorEnvironment> c, InternalScanner scanner) throws IOException {
    Guarded.run(
        () -> {
          boolean checks =
              AccessChecker.isAuthorizationSupported(c.getEnvironment().getConfiguration());
          if (checks && scanner instanceof PriorityRegionScanner) {
            ((PriorityRegionScanner) scanner).requireOwner();
          }
        });
  }

  /**
   * Notes a mutation.
   *
   * @param returns whether another hook may come for it after those of other mutations
   */
  private void noteMutation(
      ObserverContext<RegionCoprocessorEnvironment> c, Mutation mutation, boolean returns)
      throws IOException {
    Guarded.run(
        () ->
            noteMutation(c, mutation, mutation.getAttribute(IoPriority.ATTRIBUTE), returns, KIND));
  }

  private void noteMutation(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation mutation,
      byte[] attribute,
      boolean returns,
      String kind)
      throws IOException {
    TablePriority of = table(c.getEnvironment());
    trace(c, provider.noteMutation(mutation, attribute, of, returns), kind, mutation.getRow());
  }

  /**
   * Notes an operation.
   *
   * @param operation see {@link CallPriorityProvider#noteOperation}
   */
  void note(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Object operation,
      byte[] attribute,
      String kind,
      byte[] row)
      throws IOException {
    TablePriority of = table(c.getEnvironment());
    trace(c, provider.noteOperation(operation, attribute, of), kind, row);
  }

  private void trace(
      ObserverContext<RegionCoprocessorEnvironment> c,
      IoPriority priority,
      String kind,
      byte[] row) {
    if (HopTrace.isOn() && table.isUserTable()) {
      HopTrace.hop(
          "regionserver-op",
          priority,
          "op="
              + kind
              + " table="
              + table.tableName()
              + " region="
              + c.getEnvironment().getRegionInfo().getEncodedName()
              + " row="
              + Bytes.toStringBinary(row, 0, Math.min(row.length, TRACED_ROW_BYTES)));
    }
  }

  private TablePriority table(RegionCoprocessorEnvironment region) {
    TablePriority known = table;
    TableDescriptor descriptor = region.getRegion().getTableDescriptor();
    return known.isOf(descriptor) ? known : changed(region.getRegionInfo(), descriptor);
  }

  /** One at a time, so that what the region closes with is what it was opened with last. */
  private synchronized TablePriority changed(RegionInfo region, TableDescriptor descriptor) {
    TablePriority known = table;
    if (known.isOf(descriptor)) {
      return known;
    }
    TablePriority changed = TablePriority.of(descriptor);
    table = changed;
    RegionTables.opened(region, changed);
    return changed;
  }
}
