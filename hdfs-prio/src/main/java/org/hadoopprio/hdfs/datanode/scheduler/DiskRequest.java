// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * What a DataNode does at one of its disks, for a client or of its own accord. It is stated by the
 * header of an operation, is admitted, goes to the disk, and gives back at its {@link #end} all
 * that it has had: its place in the queue, the thread's priority, its places in the caps.
 *
 * <p>The hooks are called by code that hands on nothing of ours, so the thread knows its request
 * ({@link #ofThread}). Not thread-safe; used by its thread only.
 */
public class DiskRequest {

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(DiskRequest.class));

  private static final long SHORT_BYTES = 256 << 10;

  /** What a request goes through, in this order. */
  private enum State {
    STATED,
    ADMITTED,
    AT_DISK,
    DONE
  }

  /** What a thread does. */
  private static final class OfThread {
    private Hint stated = Hint.NOTHING;
    private DiskRequest request;
  }

  private static final ThreadLocal<OfThread> OF_THREAD = ThreadLocal.withInitial(OfThread::new);

  private final Hint hint;
  private State state = State.STATED;

  /** The request of the same thread that this one is a part of; null for none. */
  private DiskRequest around;

  /** Null before it is admitted. */
  private Volume volume;

  /** Null at the normal priority. */
  private IoPriority priority;

  /** What count it. */
  private List<ClassMetrics> metrics = List.of();

  /** Gives back what it was admitted with. */
  private Runnable release = () -> {};

  private int priorityToRestore = ThreadIoPriority.UNCHANGED;
  private long startNanos;
  private long bytes;
  private boolean refused;

  /** How it takes turns as a read; null if it does not. */
  ScheduledRead read;

  /** A request that states so much. */
  protected DiskRequest(Hint hint) {
    this.hint = hint;
  }

  /** The header of an operation says so much; the calling thread begins the operation next. */
  public static void state(Hint hint) {
    OF_THREAD.get().stated = hint;
  }

  /** What the header says of the operation that is about to begin; else nothing. */
  public static Hint stated() {
    return OF_THREAD.get().stated;
  }

  /** The operation begins: returns what its header says, and leaves nothing for the next one. */
  public static Hint takeStated() {
    OfThread thread = OF_THREAD.get();
    Hint taken = thread.stated;
    thread.stated = Hint.NOTHING;
    return taken;
  }

  /** The request of the calling thread; null for none, and for one that its caller keeps itself. */
  public static DiskRequest ofThread() {
    return OF_THREAD.get().request;
  }

  /** The same; a read that nobody has announced has one, too. */
  static DiskRequest ofReader() {
    DiskRequest known = ofThread();
    if (known == null || known.isAroundReads()) {
      known = new DiskRequest(Hint.NOTHING);
      known.begin();
    }
    return known;
  }

  /** Whether a read of the same thread may be a part of it. */
  protected boolean isAroundReads() {
    return false;
  }

  /** The calling thread does this from now on. A read that has failed to end does so here. */
  public final void begin() {
    OfThread thread = OF_THREAD.get();
    if (thread.request != null && !thread.request.isAroundReads()) {
      thread.request.end();
    }
    around = thread.request;
    thread.request = this;
  }

  /** The request that this one is a part of; null for none. */
  public final DiskRequest around() {
    return around;
  }

  /** What it states. */
  public final Hint hint() {
    return hint;
  }

  /** The priority that it is granted; null at the normal priority. */
  public final IoPriority priority() {
    return priority;
  }

  /** Whose use of the disk it counts for. */
  public Tenant tenant() {
    return Tenant.DEFAULT;
  }

  /** What it is for. */
  protected IoRole role() {
    return IoRole.UNKNOWN;
  }

  /**
   * Whose use of the disk it counts for, and what it is for.
   *
   * @param at at which priority the disk is used; null for none
   */
  final Owner owner(IoPriority at) {
    return new Owner(Ticket.diskClass(at), tenant(), role().toString());
  }

  /** The same of what the calling thread does. */
  static Owner ownerOfThread(IoPriority at) {
    DiskRequest request = ofThread();
    return request == null ? new Owner(Ticket.diskClass(at), Tenant.DEFAULT) : request.owner(at);
  }

  /** Whether nothing has been decided about it. */
  public final boolean isStated() {
    return state == State.STATED;
  }

  /** Whether it has ended. */
  public final boolean isDone() {
    return state == State.DONE;
  }

  private void reach(State next) {
    if (state.compareTo(next) >= 0) {
      throw new IllegalStateException("a request is " + state + ", and cannot be " + next);
    }
    state = next;
  }

  /**
   * It is admitted.
   *
   * @param granted its priority; null for none
   * @param givesBack run at the end
   * @param counts what count it
   */
  protected final void admitted(
      Volume at, IoPriority granted, Runnable givesBack, List<ClassMetrics> counts) {
    try {
      reach(State.ADMITTED);
    } catch (IllegalStateException e) {
      givesBack.run();
      throw e;
    }
    volume = at;
    priority = granted;
    release = givesBack;
    metrics = counts;
    startNanos = System.nanoTime();
    metrics.forEach(counted -> counted.requests().increment());
  }

  /** It is stock and only observed. */
  protected final void observed(Runnable end) {
    Runnable before = release;
    release = () -> inOrder(before, end);
  }

  private static void inOrder(Runnable first, Runnable second) {
    try {
      first.run();
    } finally {
      second.run();
    }
  }

  /** It goes to the disk, at its priority if the calling thread works there itself. */
  protected final void goToDisk(boolean byThread) {
    reach(State.AT_DISK);
    if (byThread && priority != null) {
      priorityToRestore = ThreadIoPriority.apply(priority);
    }
  }

  /** It goes on with its next packet: without the priority, if that was switched off meanwhile. */
  public final void goOn() {
    if (priorityToRestore != ThreadIoPriority.UNCHANGED && isSwitchedOff()) {
      restorePriority();
    }
  }

  /** Whether its volume is stock now. */
  protected final boolean isSwitchedOff() {
    return volume.mode().isStock();
  }

  /** It goes on without the priority. */
  protected final void restorePriority() {
    int before = priorityToRestore;
    priorityToRestore = ThreadIoPriority.UNCHANGED;
    ThreadIoPriority.restore(before);
  }

  /** Counts bytes of block data that have been sent or received. */
  public final void moved(long count) {
    bytes += count;
  }

  /** It is not done, because it would be late. */
  public final void refuse() {
    refused = true;
  }

  /** It has been served, or has failed. A second call does nothing. */
  public final void end() {
    end(true);
  }

  /** It cannot be served as it was granted, and goes on as stock. */
  public final void giveUp() {
    end(false);
  }

  private void end(boolean served) {
    if (state == State.DONE) {
      return;
    }
    boolean counts = served && state != State.STATED;
    reach(State.DONE);
    leaveThread();
    inOrder(this::leaveDisk, () -> inOrder(this::restorePriority, release));
    if (counts) {
      count(System.nanoTime() - startNanos);
    }
  }

  /** Those that are a part of it have failed to end, and end here. */
  private void leaveThread() {
    OfThread thread = OF_THREAD.get();
    boolean isThere = false;
    for (DiskRequest each = thread.request; each != null; each = each.around) {
      isThere |= each == this;
    }
    while (isThere && thread.request != this) {
      thread.request.end();
    }
    if (isThere) {
      thread.request = around;
    }
  }

  /** It needs the disk no more. */
  protected void leaveDisk() {
    finishRead();
  }

  /** It takes turns no more. */
  final void finishRead() {
    ScheduledRead left = read;
    read = null;
    if (left != null) {
      try {
        left.finish();
      } catch (RuntimeException | LinkageError e) {
        // The caller has more to put in order.
        PriorityMetrics.FAILED.increment();
        LOG.warn("A read leaves its volume's queue in disorder: " + e);
      }
    }
  }

  /** Counts what has been served. A long read may take longer than any latency target. */
  protected void count(long nanos) {
    if (priority != null && priority.hasTarget() && bytes <= SHORT_BYTES && !refused) {
      answered(nanos > TimeUnit.MILLISECONDS.toNanos(priority.targetMillis()));
    }
    metrics.forEach(counted -> counted.served(bytes, nanos));
  }

  private void answered(boolean late) {
    PriorityMetrics.TARGETED.increment();
    if (late) {
      PriorityMetrics.LATE.increment();
    }
    VolumeQueue queue = volume.queue();
    if (queue != null) {
      queue.counters().answered(tenant(), late);
    }
  }
}
