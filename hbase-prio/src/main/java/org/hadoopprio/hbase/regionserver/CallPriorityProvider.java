// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.delegate.LockedReads;
import org.hadoopprio.hbase.delegate.ServedCalls;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.hdfs.client.PriorityProvider;
import org.hadoopprio.metrics.PriorityMetricsSource;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.Admission;

/**
 * Tells the HDFS client the priority of the operation that the calling handler thread is serving.
 *
 * <p>The observer notes each operation before it runs. A note names its call and is valid only
 * while that call is the thread's current one. So no code has to clear it after an exception, a
 * bypass or the end of the call. If the call has no note, its request, its connection, the table
 * and the default decide. Without a call there is no priority: HBase's own work is not a client's.
 *
 * <p>A latency target counts from the time at which the server has received the call, so that its
 * wait in the queue and the reads before are taken off.
 *
 * <p>Thread-safe: notes are per thread.
 */
final class CallPriorityProvider implements PriorityProvider {

  /** The mutations of batches that may be noted once more; by identity, as long as they are. */
  private static final ConcurrentMap<Mutation, Counted> COUNTED =
      new MapMaker().weakKeys().makeMap();

  private static final String MUTATE_ROWS = "MultiRowMutationProtos$MutateRowsRequest";

  private static CallPriorityProvider installed;

  private final PriorityResolver resolver;

  CallPriorityProvider(PriorityPolicy policy) {
    this.resolver = new PriorityResolver(policy);
  }

  /** Installs the process's provider in the HDFS client. The first caller's policy is used. */
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
   * Notes the operation that the thread's current call is about to run.
   *
   * <p>Several hooks may note the same operation; only the first resolves and reports it.
   *
   * @param operation tells operations of one call apart, by identity; null for those that have
   *     nothing of their own
   * @param attribute the operation's own attribute, or null
   * @param table the operation's table
   * @return the operation's priority; null if no source states one or the thread serves no call
   * @throws DoNotRetryIOException if the policy rejects the operation
   */
  IoPriority noteOperation(Object operation, byte[] attribute, TablePriority table)
      throws DoNotRetryIOException {
    RpcCall call = currentCall();
    if (call == null) {
      return null;
    }
    Note last = HandlerCall.note();
    boolean sameCall = last != null && last.isFor(call);
    if (sameCall && last.isFor(operation, table)) {
      return last.priority;
    }
    // A batch asks about all mutations of a region before it does the first.
    if (!sameCall || !last.isBefore(operation, table)) {
      HandlerCall.nextOperation();
    }
    IoPriority priority = resolver.resolve(call, attribute, table);
    if (priority != null && priority.hasTarget() && !OffSwitch.isObserving()) {
      HandlerCall.beginContainer(call, table);
    }
    // With no hint and no note to replace, current() finds the same priority; allocate nothing.
    // An observed rejection leaves no priority, but is to be counted once.
    // A batch does not say which region its current operation is of.
    boolean isOfBatch = call.getParam() instanceof MultiRequest;
    if (priority != null || attribute != null || sameCall || isOfBatch || OffSwitch.isObserving()) {
      HandlerCall.setNote(new Note(call, operation, table, priority));
    }
    return priority;
  }

  /**
   * Notes a mutation that the thread's current call is about to run; otherwise like {@link
   * #noteOperation}.
   *
   * <p>In a batch HBase runs a first hook for all mutations, then others for one after the other. A
   * mutation counts in the caps at the first only.
   *
   * @param returns whether another hook may note the mutation after others of the same call
   * @throws DoNotRetryIOException if the policy rejects the mutation, but see {@link
   *     RejectedMutations}
   */
  IoPriority noteMutation(Mutation mutation, byte[] attribute, TablePriority table, boolean returns)
      throws DoNotRetryIOException {
    RpcCall call = currentCall();
    if (call == null || !(call.getParam() instanceof MultiRequest)) {
      return noteOperation(mutation, attribute, table);
    }
    Note last = HandlerCall.note();
    if (last != null && last.isFor(call) && last.isFor(mutation, table)) {
      return last.priority;
    }
    Counted counted = COUNTED.get(mutation);
    if (counted != null || RejectedMutations.has(mutation)) {
      IoPriority priority = counted == null ? unstated(call, table) : counted.goOn();
      HandlerCall.setNote(new Note(call, mutation, table, priority));
      return priority;
    }
    IoPriority priority;
    try {
      priority = noteOperation(mutation, attribute, table);
    } catch (DoNotRetryIOException e) {
      if (!RejectedMutations.isWithOthers(call, mutation)) {
        throw e;
      }
      RejectedMutations.add(mutation, e);
      // HBase may read for it before it asks about the batch.
      priority = unstated(call, table);
      HandlerCall.setNote(new Note(call, mutation, table, priority));
      return priority;
    }
    if (returns) {
      COUNTED.put(mutation, new Counted(priority, HandlerCall.lastAdmission()));
    }
    return priority;
  }

  /** The thread's call; null if it serves none, and while it is to be served as in stock HBase. */
  private static RpcCall currentCall() {
    return OffSwitch.isOff(AgentModule.REGIONSERVER)
        ? null
        : RpcServer.getCurrentCall().orElse(null);
  }

  private IoPriority unstated(RpcCall call, TablePriority table) {
    return resolver.unstated(new CallRequester(call, table));
  }

  /**
   * The priority of a scan that the thread's current call has opened, of which {@link
   * #noteOperation} was told.
   *
   * @return null if the thread serves no call, or if the scan has none and the RegionServer only
   *     observes
   * @throws DoNotRetryIOException if the policy rejects the scan
   */
  ScanPriority noteScan(byte[] attribute, TablePriority table) throws DoNotRetryIOException {
    RpcCall call = currentCall();
    if (call == null) {
      return null;
    }
    IoPriority granted = noteOperation(attribute, attribute, table);
    if (granted == null && OffSwitch.isObserving()) {
      return null;
    }
    // Also without a priority, or else what its later calls state, or name as region, would decide.
    CallRequester requester = new CallRequester(call, table);
    PriorityResolver.Asked asked = resolver.asked(attribute, requester);
    HandlerCall.isServed();
    ScanPriority scan = new ScanPriority(resolver, asked, table, call, granted);
    HandlerCall.noteOpened(scan);
    return scan;
  }

  @Override
  public IoPriority current() {
    RpcCall call = currentCall();
    if (call == null || OffSwitch.isObserving()) {
      return null;
    }
    Note last = noteOf(call);
    HandlerCall.isServed();
    IoPriority priority =
        last != null ? last.priority : resolver.peek(null, new CallRequester(call, tableOf(call)));
    return left(call, changes(call, last) ? LockedReads.raised(priority) : priority);
  }

  @Override
  public String tenant() {
    RpcCall call = resolver.hasTenants() ? currentCall() : null;
    if (call == null || OffSwitch.isObserving()) {
      return null;
    }
    Note last = noteOf(call);
    TablePriority table = last == null ? tableOf(call) : last.table;
    String tenant =
        HandlerCall.tenant(table, () -> resolver.tenant(new CallRequester(call, table)));
    return changes(call, last) ? resolver.raised(tenant) : tenant;
  }

  /** What is noted of the call's operation; null for nothing. */
  private static Note noteOf(RpcCall call) {
    Note last = HandlerCall.note();
    return last != null && last.isFor(call) ? last : null;
  }

  private static TablePriority tableOf(RpcCall call) {
    return RegionTables.of(CallParameters.region(call.getParam()));
  }

  /** Whether it reads under locks of rows and of the region. */
  private static boolean changes(RpcCall call, Note noted) {
    return (noted != null && noted.changes) || call.getParam() instanceof MutateRequest;
  }

  /** The priority with what is left of its target. */
  static IoPriority left(RpcCall call, IoPriority granted) {
    return granted == null || !granted.hasTarget()
        ? granted
        : granted.after(EnvironmentEdgeManager.currentTime() - call.getReceiveTime());
  }

  @Override
  public int readBegins() {
    return HandlerCall.readBegins();
  }

  /** What a mutation was granted when the caps counted it. */
  private static final class Counted {
    private final IoPriority priority;

    /** Null if it needed none. */
    private final Admission admission;

    Counted(IoPriority priority, Admission admission) {
      this.priority = priority;
      this.admission = admission;
    }

    IoPriority goOn() {
      return admission == null
          ? HandlerCall.notePreset(priority)
          : HandlerCall.admitAgain(admission);
    }
  }

  /** One operation of one call. The call is held weakly because a handler can be idle for long. */
  static final class Note {
    private final WeakReference<RpcCall> call;
    private final WeakReference<Object> operation;
    private final TablePriority table;
    private final IoPriority priority;

    /** Whether it changes rows: it reads under locks of rows and of the region. */
    private final boolean changes;

    Note(RpcCall call, Object operation, TablePriority table, IoPriority priority) {
      this.changes = operation instanceof Mutation || changesRows(operation);
      this.call = new WeakReference<>(call);
      this.operation = operation == null ? null : new WeakReference<>(operation);
      this.table = table;
      this.priority = priority;
    }

    /** Whether it is the request to HBase's endpoint that changes several rows on conditions. */
    private static boolean changesRows(Object operation) {
      // By name: another HBase may have it elsewhere.
      return operation != null && operation.getClass().getName().endsWith(MUTATE_ROWS);
    }

    /** Whether another one may be a mutation of the same batch. */
    boolean isBefore(Object otherOperation, TablePriority otherTable) {
      return changes && otherOperation instanceof Mutation && table == otherTable;
    }

    boolean isFor(RpcCall other) {
      return call.get() == other;
    }

    boolean isFor(Object otherOperation, TablePriority otherTable) {
      boolean sameOperation =
          operation == null
              ? otherOperation == null
              : otherOperation != null && operation.get() == otherOperation;
      return sameOperation && table == otherTable;
    }
  }
}
