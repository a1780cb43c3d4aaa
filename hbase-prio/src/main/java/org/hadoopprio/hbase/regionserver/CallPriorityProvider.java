package org.hadoopprio.hbase.regionserver;

import java.lang.ref.WeakReference;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.hdfs.client.PriorityProvider;
import org.hadoopprio.metrics.PriorityMetricsSource;
import org.hadoopprio.rpc.ServedCalls;

/**
 * Answers the HDFS client's question for a handler thread: what is the priority of the operation
 * this thread is serving?
 *
 * <p>The observer notes each operation as it begins. The note names the call it belongs to and
 * counts only while that very call is the thread's current one, so nothing has to clear it: not an
 * exception, not a bypass, not the next call on this handler. Without a note for the call, its
 * request, connection, table and the default decide. Without a call there is no answer: what HBase
 * does for itself is not a client's work.
 */
final class CallPriorityProvider implements PriorityProvider {

  private static final ThreadLocal<Note> NOTES = new ThreadLocal<>();

  private static CallPriorityProvider installed;

  private final PriorityResolver resolver;

  CallPriorityProvider(PriorityPolicy policy) {
    this.resolver = new PriorityResolver(policy);
  }

  /** The process's provider, installed in the HDFS client by the first caller's policy. */
  static synchronized CallPriorityProvider install(PriorityPolicy policy) {
    if (installed == null) {
      installed = new CallPriorityProvider(policy);
      CurrentPriority.setProvider(installed);
      ServedCalls.setListener(new HandlerCall.Listener());
      PriorityMetricsSource.registerCalls();
    }
    return installed;
  }

  /**
   * Notes that the thread's current call begins an operation.
   *
   * <p>Several hooks may announce one operation; only the first resolves and reports it.
   *
   * @param attribute the operation's own attribute, or null
   * @param table the table it goes to
   * @return the operation's priority; null where no source states one or no call is being served
   * @throws DoNotRetryIOException if the policy says that the operation is not to be done
   */
  IoPriority begin(byte[] attribute, TablePriority table) throws DoNotRetryIOException {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call == null) {
      return null;
    }
    Note last = NOTES.get();
    boolean sameCall = last != null && last.isFor(call);
    if (sameCall && last.isFor(attribute, table)) {
      return last.priority;
    }
    IoPriority priority = resolver.resolve(call, attribute, table);
    // With no hint and no note to replace, current() comes to the same answer: nothing to allocate.
    if (priority != null || attribute != null || sameCall) {
      NOTES.set(new Note(call, attribute, table, priority));
    }
    return priority;
  }

  @Override
  public IoPriority current() {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call == null) {
      return null;
    }
    Note last = NOTES.get();
    return last != null && last.isFor(call)
        ? last.priority
        : resolver.peek(call, null, RegionTables.of(CallParameters.region(call.getParam())));
  }

  /** One operation of one call. Holds the call weakly: a handler may stay without work for long. */
  private static final class Note {
    private final WeakReference<RpcCall> call;
    private final WeakReference<byte[]> attribute;
    private final TablePriority table;
    private final IoPriority priority;

    Note(RpcCall call, byte[] attribute, TablePriority table, IoPriority priority) {
      this.call = new WeakReference<>(call);
      this.attribute = attribute == null ? null : new WeakReference<>(attribute);
      this.table = table;
      this.priority = priority;
    }

    boolean isFor(RpcCall other) {
      return call.get() == other;
    }

    /** By identity: the same operation shows the same array to each hook. */
    boolean isFor(byte[] otherAttribute, TablePriority otherTable) {
      byte[] mine = attribute == null ? null : attribute.get();
      boolean sameAttribute =
          attribute == null ? otherAttribute == null : mine != null && mine == otherAttribute;
      return sameAttribute && table == otherTable;
    }
  }
}
