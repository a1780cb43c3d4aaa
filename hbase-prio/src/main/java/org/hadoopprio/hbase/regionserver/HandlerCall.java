package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.hadoopprio.IoPriority;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.rpc.ServerListener;

/**
 * A handler's call and what it was given: a place in the caps, a line in the metrics. One a handler
 * thread, used by that thread alone.
 *
 * <p>A handler does the operations of a batch one after the other, so it has one place at a time.
 * It is given up when the call ends, which the agent's hook tells.
 */
final class HandlerCall {

  private static final ThreadLocal<HandlerCall> CURRENT = ThreadLocal.withInitial(HandlerCall::new);

  private boolean open;
  private long startNanos;
  private IoPriority priority;
  private Admission admission;

  private HandlerCall() {}

  /** What the agent's hooks on HBase's RPC server ask and tell. */
  static final class Listener implements ServerListener {
    @Override
    public void begin() {
      HandlerCall call = CURRENT.get();
      call.open = true;
      call.startNanos = System.nanoTime();
    }

    @Override
    public void end() {
      CURRENT.get().close();
    }

    @Override
    public IoPriority priority() {
      return CURRENT.get().priority;
    }

    @Override
    public Throwable reconfigure(Configuration conf) {
      return ServerPolicy.reload(conf);
    }
  }

  /** An operation of the thread's call begins that nobody has to allow; returns its priority. */
  static IoPriority serve(IoPriority preset) {
    CURRENT.get().note(preset);
    return preset;
  }

  /** An operation of the thread's call begins; returns the priority it has under the caps. */
  static IoPriority serve(Decision decision) {
    HandlerCall call = CURRENT.get();
    call.leave();
    Admission admission = decision.admit();
    if (admission.isCapped()) {
      PriorityMetrics.CAPPED.increment();
    }
    if (call.open) {
      call.admission = admission;
    } else {
      // Nobody would tell when it is over.
      admission.end();
    }
    call.note(admission.priority());
    return admission.priority();
  }

  /** A call counts in the class of its first operation that has one. */
  private void note(IoPriority operation) {
    if (open && priority == null && operation != null && !operation.isNone()) {
      priority = operation;
    }
  }

  private void leave() {
    if (admission != null) {
      admission.end();
      admission = null;
    }
  }

  private void close() {
    leave();
    IoPriority served = priority;
    boolean measured = open && served != null;
    open = false;
    priority = null;
    if (measured) {
      ClassMetrics metrics = PriorityMetrics.calls(served.ioClass());
      metrics.requests().increment();
      long bytes = RpcServer.getCurrentCall().map(RpcCall::getResponseCellSize).orElse(0L);
      metrics.served(bytes, System.nanoTime() - startNanos);
    }
  }
}
