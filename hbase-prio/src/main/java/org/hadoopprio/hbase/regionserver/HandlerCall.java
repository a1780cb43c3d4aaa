// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Pair;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.delegate.ServerListener;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.Reservation;

/**
 * The call that a handler serves: its priority, its slot in the caps and its time for the metrics.
 * Each handler thread has one instance, which no other thread uses.
 *
 * <p>A handler runs the operations of a batch one after the other, so it holds one slot at a time.
 * It releases the slot when the call ends, which a hook of the agent reports.
 */
final class HandlerCall {

  private static final ThreadLocal<HandlerCall> CURRENT = ThreadLocal.withInitial(HandlerCall::new);

  private boolean open;
  private long startNanos;
  private IoPriority priority;
  private Admission admission;

  /** That of the last operation, whether it still holds its slot or not. */
  private Admission last;

  /**
   * What operations of the call were admitted to that another coprocessor may still deny, of those
   * that a rate has counted.
   */
  private final List<Admission> deniable = new ArrayList<>();

  /** The reads of the call, if it has a latency target. */
  private ReadContainer container;

  /** What its client has sent with it; null until it is asked for. */
  private CallContents contents;

  /** Whether the call counts as one whose user's groups are not known. */
  private boolean withoutGroups;

  /** The priority of the scan that the call reads for; kept until the thread's next call. */
  private IoPriority scan;

  /** The scan that the call has opened; null if none, and before and after the call. */
  private ScanPriority opened;

  /** What is noted of the thread's last operation; it names its call. Null before the first. */
  private CallPriorityProvider.Note note;

  /** The place in the caps of the call that the thread has taken from its queue; null if none. */
  private Reservation taken;

  /** The bytes of the call that the thread has taken from the background queue; 0 for none. */
  private long takenBytes;

  private HandlerCall() {}

  /**
   * Notes the size of the call that the calling thread takes from the background queue.
   *
   * @param bytes of the call; 0 if it takes none yet
   * @return those of its call before
   */
  static long takesBytes(long bytes) {
    HandlerCall call = CURRENT.get();
    long before = call.takenBytes;
    call.takenBytes = bytes;
    return before;
  }

  /** Receives what the agent's hooks on HBase's RPC server report. */
  static final class Listener implements ServerListener {
    @Override
    public void callStarted() {
      HandlerCall call = CURRENT.get();
      call.open = true;
      call.withoutGroups = false;
      call.scan = null;
      call.opened = null;
      call.container = null;
      call.deniable.clear();
      call.startNanos = System.nanoTime();
    }

    @Override
    public void callEnded(Object result) {
      HandlerCall call = CURRENT.get();
      ScanPriority scan = call.opened;
      call.opened = null;
      if (scan != null && result instanceof Pair) {
        Object response = ((Pair<?, ?>) result).getFirst();
        if (response instanceof ScanResponse && ((ScanResponse) response).hasScannerId()) {
          scan.opened(((ScanResponse) response).getScannerId());
        }
      }
      call.finish();
    }

    @Override
    public IoPriority priority() {
      return OffSwitch.isObserving() ? null : CURRENT.get().priority;
    }

    @Override
    public IoPriority scanPriority() {
      return CURRENT.get().scan;
    }

    @Override
    public Throwable reconfigure(Configuration conf) {
      Throwable mode = ServerMode.reload(conf);
      Throwable roles = ServerRoles.reload(conf);
      Throwable policy = ServerPolicy.reload(conf);
      Throwable audit = ServerAudit.reload(conf);
      return mode != null ? mode : policy != null ? policy : roles != null ? roles : audit;
    }
  }

  /**
   * Notes an operation whose priority is the operator's preset and needs no admission; returns the
   * preset.
   */
  static IoPriority notePreset(IoPriority preset) {
    HandlerCall call = CURRENT.get();
    call.last = null;
    call.countAs(preset);
    return preset;
  }

  /** What the client of a call has sent with it; kept while the thread serves that call. */
  static CallContents contentsOf(RpcCall served) {
    HandlerCall call = CURRENT.get();
    if (call.contents != null && call.contents.call() == served) {
      return call.contents;
    }
    CallContents contents = new CallContents(served);
    call.contents = call.open ? contents : null;
    return contents;
  }

  /** What is noted of the thread's last operation, of whatever call; null for nothing. */
  static CallPriorityProvider.Note note() {
    return CURRENT.get().note;
  }

  static void setNote(CallPriorityProvider.Note note) {
    CURRENT.get().note = note;
  }

  /**
   * The thread takes a call from its queue, or is about to wait for one: gives the place of the
   * call before back.
   *
   * @param reservation the call's place in the caps; null for none
   * @return whether the call before had one, as real-time calls of the queue have
   */
  static boolean take(Reservation reservation) {
    HandlerCall call = CURRENT.get();
    Reservation served = call.taken;
    call.taken = reservation;
    if (served != null) {
      served.release();
    }
    return served != null;
  }

  /** An operation of the thread's call needs groups that are not known; counts the call once. */
  static void noteWithoutGroups() {
    HandlerCall call = CURRENT.get();
    if (!call.open || !call.withoutGroups) {
      PriorityMetrics.GROUPS_UNKNOWN.increment();
    }
    call.withoutGroups = true;
  }

  /** Notes the priority of the scan that the thread's call reads for. */
  static void noteScan(IoPriority priority) {
    HandlerCall call = CURRENT.get();
    call.scan = call.open ? priority : null;
  }

  /** Notes the scan that the thread's call has opened. */
  static void noteOpened(ScanPriority scan) {
    HandlerCall call = CURRENT.get();
    call.opened = call.open ? scan : null;
  }

  /**
   * The thread's call has a latency target; its reads are counted from now on.
   *
   * @param table that it reads; null if it is not known
   */
  static void beginContainer(RpcCall served, TablePriority table) {
    HandlerCall call = CURRENT.get();
    if (call.open && call.container == null) {
      call.container = ReadContainer.of(served, table);
    }
  }

  /** The thread's call is about to read; returns how many reads are expected to follow. */
  static int readBegins() {
    ReadContainer container = CURRENT.get().container;
    return container == null ? 0 : container.readBegins();
  }

  /** The thread's operation is denied no more: it reads, or has been served. */
  static void isServed() {
    CURRENT.get().deniable.clear();
  }

  /** Another operation of the thread's call follows; those before it were denied or served. */
  static void nextOperation() {
    CURRENT.get().giveTokensBack();
  }

  /** Nothing is taken for what was denied: caps are shared with others. */
  private void giveTokensBack() {
    deniable.forEach(Admission::giveTokensBack);
    deniable.clear();
  }

  /** Admits an operation of the thread's call; returns its priority under the caps. */
  static IoPriority admit(Decision decision) {
    HandlerCall call = CURRENT.get();
    call.releaseSlot();
    Admission admitted = decision.admit();
    if (call.open && admitted.isCountedByRate()) {
      call.deniable.add(admitted);
    }
    return call.hold(admitted, false);
  }

  /**
   * Admits an operation of the thread's call that goes on after others of the same call; returns
   * its priority under the caps.
   *
   * @param counted what it was admitted to at first
   */
  static IoPriority admitAgain(Admission counted) {
    HandlerCall call = CURRENT.get();
    call.releaseSlot();
    // It is about to read.
    call.deniable.clear();
    return call.hold(counted.again(), counted.isCapped());
  }

  private IoPriority hold(Admission admitted, boolean isCappedBefore) {
    if (admitted.isCapped() && !isCappedBefore) {
      PriorityMetrics.CAPPED.increment();
    }
    last = admitted;
    if (open) {
      admission = admitted;
    } else {
      // No hook reports the end of this call, so release the slot now.
      admitted.release();
    }
    countAs(admitted.priority());
    return admitted.priority();
  }

  /** What the thread's last operation was admitted to; null if it needed no admission. */
  static Admission lastAdmission() {
    return CURRENT.get().last;
  }

  /** The metrics count a call in the class of its first operation that has a priority. */
  private void countAs(IoPriority operation) {
    if (open && priority == null && operation != null && !operation.isNone()) {
      priority = operation;
    }
  }

  private void releaseSlot() {
    if (admission != null) {
      admission.release();
      admission = null;
    }
  }

  private void finish() {
    releaseSlot();
    giveTokensBack();
    if (container != null) {
      container.close();
      container = null;
    }
    IoPriority served = priority;
    boolean measured = open && served != null;
    open = false;
    priority = null;
    contents = null;
    if (measured) {
      ClassMetrics metrics = PriorityMetrics.calls(served.ioClass());
      metrics.requests().increment();
      long bytes = RpcServer.getCurrentCall().map(RpcCall::getResponseCellSize).orElse(0L);
      metrics.served(bytes, System.nanoTime() - startNanos);
    }
  }
}
