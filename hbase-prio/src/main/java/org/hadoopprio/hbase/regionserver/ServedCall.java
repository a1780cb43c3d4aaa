// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.hadoopprio.IoPriority;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Admission;

/**
 * A call from the time at which a handler begins to serve it to its end: its priority, its slot in
 * the caps and its time for the metrics. Used by the handler's thread only.
 *
 * <p>A handler runs the operations of a batch one after the other, so a call holds one slot at a
 * time.
 */
final class ServedCall {

  private final long startNanos = System.nanoTime();

  /** That of its first operation that has one; null before. */
  private IoPriority priority;

  /** What its last operation was admitted to, while that holds its slot; else null. */
  private Admission admission;

  /**
   * What operations of the call were admitted to that another coprocessor may still deny, of those
   * that a rate has counted.
   */
  private final List<Admission> deniable = new ArrayList<>(0);

  /** The reads of the call; null if it has no latency target. */
  private ReadContainer container;

  /** What its client has sent with it; null until it is asked for. */
  private CallContents contents;

  /** Whether the call counts as one whose user's groups are not known. */
  private boolean withoutGroups;

  /** The scan that the call has opened; null if none. */
  private ScanPriority opened;

  /** For which tenant it reads, and from which table; null before it does. */
  private String tenant;

  private TablePriority tenantsTable;

  /** The priority that the metrics count it by; null if none. */
  IoPriority priority() {
    return priority;
  }

  /** An operation has that priority; the metrics count a call as its first one that has any. */
  void countAs(IoPriority operation) {
    if (priority == null && operation != null && !operation.isNone()) {
      priority = operation;
    }
  }

  CallContents contentsOf(RpcCall served) {
    if (contents == null || contents.call() != served) {
      contents = new CallContents(served);
    }
    return contents;
  }

  /** An operation needs groups that are not known; returns whether it is the call's first. */
  boolean noteWithoutGroups() {
    boolean first = !withoutGroups;
    withoutGroups = true;
    return first;
  }

  /** The scan that it has opened; null if none. */
  ScanPriority opened() {
    return opened;
  }

  void setOpened(ScanPriority scan) {
    opened = scan;
  }

  /** The tenant for which it reads from a table; kept until it reads from another one. */
  String tenant(TablePriority table, Supplier<String> lookUp) {
    if (tenant == null || table != tenantsTable) {
      tenant = lookUp.get();
      tenantsTable = table;
    }
    return tenant;
  }

  /** It has a latency target; its reads are counted from now on. */
  void beginContainer(RpcCall served, TablePriority table) {
    if (container == null) {
      container = ReadContainer.of(served, table);
    }
  }

  /** It is about to read; returns how many reads are expected to follow. */
  int readBegins() {
    return container == null ? 0 : container.readBegins();
  }

  /** Its operation is denied no more. */
  void isServed() {
    deniable.clear();
  }

  /** An operation was admitted, which another coprocessor may still deny. */
  void mayBeDenied(Admission admitted) {
    if (admitted.isCountedByRate()) {
      deniable.add(admitted);
    }
  }

  /** Nothing is taken for what was denied: caps are shared with others. */
  void giveTokensBack() {
    deniable.forEach(Admission::giveTokensBack);
    deniable.clear();
  }

  void hold(Admission admitted) {
    admission = admitted;
  }

  /** Before the next operation is admitted, and at the end. */
  void releaseSlot() {
    if (admission != null) {
      admission.release();
      admission = null;
    }
  }

  /** The call has been served. */
  void finish() {
    releaseSlot();
    giveTokensBack();
    if (container != null) {
      container.close();
    }
    if (priority != null) {
      ClassMetrics metrics = PriorityMetrics.calls(priority.ioClass());
      metrics.requests().increment();
      long bytes = RpcServer.getCurrentCall().map(RpcCall::getResponseCellSize).orElse(0L);
      metrics.served(bytes, System.nanoTime() - startNanos);
    }
  }
}
