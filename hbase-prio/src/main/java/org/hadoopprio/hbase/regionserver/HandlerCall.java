// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.lang.ref.WeakReference;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Pair;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.delegate.ServerListener;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.Reservation;

/**
 * What a handler thread does: the call that it serves, from its begin to its end, which a hook of
 * the agent reports, and what stays longer. Without the hook no call is open, and nothing of it is
 * kept. Each thread has one instance, which no other thread uses.
 */
final class HandlerCall {

  private static final ThreadLocal<HandlerCall> CURRENT = ThreadLocal.withInitial(HandlerCall::new);

  /** The call that is open; null if none is. */
  private ServedCall served;

  /** Of a call of which the thread is not told when it begins and ends. */
  private WeakReference<CallContents> contents = new WeakReference<>(null);

  /** What the last operation was admitted to, whether it still holds its slot or not. */
  private Admission last;

  /** The priority of the scan that the call reads for; kept until the thread's next call. */
  private IoPriority scan;

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
    HandlerCall handler = CURRENT.get();
    long before = handler.takenBytes;
    handler.takenBytes = bytes;
    return before;
  }

  /** Receives what the agent's hooks on HBase's RPC server report. */
  static final class Listener implements ServerListener {
    @Override
    public void callStarted() {
      HandlerCall handler = CURRENT.get();
      handler.releaseSlot();
      handler.served = new ServedCall();
      handler.scan = null;
    }

    @Override
    public void callEnded(Object result) {
      HandlerCall handler = CURRENT.get();
      ServedCall ended = handler.served;
      handler.served = null;
      if (ended == null) {
        return;
      }
      try {
        noteScannerId(ended.opened(), result);
      } finally {
        ended.finish();
      }
    }

    private static void noteScannerId(ScanPriority opened, Object result) {
      if (opened != null && result instanceof Pair) {
        Object response = ((Pair<?, ?>) result).getFirst();
        if (response instanceof ScanResponse && ((ScanResponse) response).hasScannerId()) {
          opened.opened(((ScanResponse) response).getScannerId());
        }
      }
    }

    @Override
    public IoPriority priority() {
      ServedCall served = CURRENT.get().served;
      return served == null || OffSwitch.isObserving() ? null : served.priority();
    }

    @Override
    public IoPriority scanPriority() {
      return CURRENT.get().scan;
    }

    @Override
    public String raised(String tenant) {
      return ServerPolicy.current().raised(tenant);
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
    HandlerCall handler = CURRENT.get();
    handler.last = null;
    if (handler.served != null) {
      handler.served.countAs(preset);
    }
    return preset;
  }

  /** What the client of a call has sent with it; kept while the thread serves that call. */
  static CallContents contentsOf(RpcCall call) {
    HandlerCall handler = CURRENT.get();
    if (handler.served != null) {
      return handler.served.contentsOf(call);
    }
    CallContents known = handler.contents.get();
    if (known == null || known.call() != call) {
      known = new CallContents(call);
      handler.contents = new WeakReference<>(known);
    }
    return known;
  }

  /**
   * The tenant for which the thread's call reads from a table; looked up once for operations of the
   * same table that follow each other.
   *
   * @param table null if it is not known
   */
  static String tenant(TablePriority table, Supplier<String> lookUp) {
    ServedCall served = CURRENT.get().served;
    return served == null ? lookUp.get() : served.tenant(table, lookUp);
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
    HandlerCall handler = CURRENT.get();
    Reservation before = handler.taken;
    handler.taken = reservation;
    if (before != null) {
      before.release();
    }
    return before != null;
  }

  /** An operation of the thread's call needs groups that are not known; counts the call once. */
  static void noteWithoutGroups() {
    ServedCall served = CURRENT.get().served;
    if (served == null || served.noteWithoutGroups()) {
      PriorityMetrics.GROUPS_UNKNOWN.increment();
    }
  }

  /** Notes the priority of the scan that the thread's call reads for. */
  static void noteScan(IoPriority priority) {
    HandlerCall handler = CURRENT.get();
    handler.scan = handler.served == null ? null : priority;
  }

  /** Notes the scan that the thread's call has opened. */
  static void noteOpened(ScanPriority scan) {
    ServedCall served = CURRENT.get().served;
    if (served != null) {
      served.setOpened(scan);
    }
  }

  /**
   * The thread's call has a latency target; its reads are counted from now on.
   *
   * @param table that it reads; null if it is not known
   */
  static void beginContainer(RpcCall call, TablePriority table) {
    ServedCall served = CURRENT.get().served;
    if (served != null) {
      served.beginContainer(call, table);
    }
  }

  /** The thread's call is about to read; returns how many reads are expected to follow. */
  static int readBegins() {
    ServedCall served = CURRENT.get().served;
    return served == null ? 0 : served.readBegins();
  }

  /** The thread's operation is denied no more: it reads, or has been served. */
  static void isServed() {
    ServedCall served = CURRENT.get().served;
    if (served != null) {
      served.isServed();
    }
  }

  /** Another operation of the thread's call follows; those before it were denied or served. */
  static void nextOperation() {
    ServedCall served = CURRENT.get().served;
    if (served != null) {
      served.giveTokensBack();
    }
  }

  /** Admits an operation of the thread's call; returns its priority under the caps. */
  static IoPriority admit(Decision decision) {
    HandlerCall handler = CURRENT.get();
    handler.releaseSlot();
    Admission admitted = decision.admit();
    if (handler.served != null) {
      handler.served.mayBeDenied(admitted);
    }
    return handler.hold(admitted, false);
  }

  /**
   * Admits an operation of the thread's call that goes on after others of the same call; returns
   * its priority under the caps.
   *
   * @param counted what it was admitted to at first
   */
  static IoPriority admitAgain(Admission counted) {
    HandlerCall handler = CURRENT.get();
    handler.releaseSlot();
    // It is about to read.
    isServed();
    return handler.hold(counted.again(), counted.isCapped());
  }

  private void releaseSlot() {
    if (served != null) {
      served.releaseSlot();
    }
  }

  private IoPriority hold(Admission admitted, boolean isCappedBefore) {
    if (admitted.isCapped() && !isCappedBefore) {
      PriorityMetrics.CAPPED.increment();
    }
    last = admitted;
    if (served == null) {
      // No hook reports the end of this call, so release the slot now.
      admitted.release();
    } else {
      served.hold(admitted);
      served.countAs(admitted.priority());
    }
    return admitted.priority();
  }

  /** What the thread's last operation was admitted to; null if it needed no admission. */
  static Admission lastAdmission() {
    return CURRENT.get().last;
  }
}
