// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio;

import java.util.concurrent.TimeUnit;

/**
 * States the I/O priority of the calling thread's work until the scope is closed.
 *
 * <pre>{@code
 * try (PriorityScope scope = PriorityScope.open(IoPriority.parse("rt:3"))) {
 *   in.read(buffer);
 * }
 * }</pre>
 *
 * <p>A scope belongs to the thread that opened it. Scopes nest; the innermost one applies. A scope
 * takes precedence over all other sources of a priority; {@link IoPriority#NONE} states that there
 * is none. Opening and closing a scope make no system call.
 *
 * <p>A latency target counts from the opening of the scope: what is read in it should be there by
 * then. So open a scope for each thing that somebody waits for. What comes later is as urgent as a
 * request with a target can be. If it needs several reads, one after the other, say how many
 * ({@link #open(IoPriority, int)}), so that each leaves time for those that follow.
 */
public final class PriorityScope implements AutoCloseable {

  private static final ThreadLocal<PriorityScope> CURRENT = new ThreadLocal<>();

  private final PriorityScope outer;

  /** Null if only the tenant is stated. */
  private final IoPriority priority;

  private final IoRole role;
  private final int patienceMillis;
  private final String tenant;
  private final Thread owner;

  /** Used only with a target. */
  private final long openedNanos;

  /** How many reads are still expected. */
  private int reads;

  private boolean closed;

  private PriorityScope(
      IoPriority priority,
      IoRole role,
      int reads,
      int patienceMillis,
      String tenant,
      PriorityScope outer) {
    this.priority = priority;
    this.role = role;
    this.reads = reads;
    this.patienceMillis = patienceMillis;
    this.tenant = tenant == null && outer != null ? outer.tenant : tenant;
    this.outer = outer;
    this.owner = Thread.currentThread();
    this.openedNanos = hasTarget() ? System.nanoTime() : 0;
  }

  private boolean hasTarget() {
    return priority != null && priority.hasTarget();
  }

  /**
   * Opens a scope on the calling thread; close it in the same block.
   *
   * @throws IllegalArgumentException if {@code priority} is null
   */
  public static PriorityScope open(IoPriority priority) {
    return open(required(priority), null, 0, 0, null);
  }

  /**
   * Opens a scope for reads that are done one after the other, and for which somebody waits
   * together: they have one latency target. (intelliQoS, 2012, calls that a container.)
   *
   * <p>What counts are reads of a DataNode: a positioned read is one for each block of the file
   * that it touches. If there are fewer than expected, some begin earlier than they have to; if
   * there are more, the last ones may be late. Hedged reads do not count.
   *
   * @param reads how many are expected, at least 1; heeded only with a latency target
   * @throws IllegalArgumentException if {@code priority} is null or {@code reads} is less than 1
   */
  public static PriorityScope open(IoPriority priority, int reads) {
    if (reads < 1) {
      throw new IllegalArgumentException(
          reads + " expected reads are not allowed; allowed: 1 or more");
    }
    return open(required(priority), null, reads, 0, null);
  }

  /**
   * Opens a scope that also says what the work is for; DataNodes count it by that.
   *
   * @param role null for what applications do: a read or a write of a client
   * @throws IllegalArgumentException if {@code priority} is null
   */
  public static PriorityScope open(IoPriority priority, IoRole role) {
    return open(required(priority), role, 0, 0, null);
  }

  /**
   * The same for work of a tenant, or that gives up a DataNode from which nothing comes; for the
   * agent.
   *
   * @param priority null to state none: then weaker sources decide
   * @param patienceMillis after how many milliseconds; 0 if that is not known
   * @param tenant null for that of the scope around
   */
  public static PriorityScope open(
      IoPriority priority, IoRole role, int patienceMillis, String tenant) {
    return open(priority, role, 0, patienceMillis, tenant);
  }

  private static PriorityScope open(
      IoPriority priority, IoRole role, int reads, int patienceMillis, String tenant) {
    PriorityScope scope =
        new PriorityScope(priority, role, reads, patienceMillis, tenant, CURRENT.get());
    CURRENT.set(scope);
    return scope;
  }

  private static IoPriority required(IoPriority priority) {
    if (priority == null) {
      throw new IllegalArgumentException("I/O priority is null; allowed: " + IoPriority.ALLOWED);
    }
    return priority;
  }

  /**
   * The priority of the innermost open scope of the calling thread, with what is left of its target
   * now; null if none is open, or if it states none.
   */
  public static IoPriority current() {
    PriorityScope scope = CURRENT.get();
    if (scope == null || !scope.hasTarget()) {
      return scope == null ? null : scope.priority;
    }
    long usedNanos = System.nanoTime() - scope.openedNanos;
    return scope.priority.after(TimeUnit.NANOSECONDS.toMillis(usedNanos));
  }

  /** The role of that scope; null if it has none, or if none is open. */
  public static IoRole currentRole() {
    PriorityScope scope = CURRENT.get();
    return scope == null ? null : scope.role;
  }

  /**
   * After how many milliseconds without data its work gives up a DataNode; 0 if that is not known,
   * or if none is open.
   */
  public static int currentPatienceMillis() {
    PriorityScope scope = CURRENT.get();
    return scope == null ? 0 : scope.patienceMillis;
  }

  /** The tenant for which the calling thread works; null if no open scope states one. */
  public static String currentTenant() {
    PriorityScope scope = CURRENT.get();
    return scope == null ? null : scope.tenant;
  }

  /**
   * The calling thread is about to read in that scope; the agent calls it once for each read.
   *
   * @return how many reads are expected to follow; 0 if the scope does not say, or if none is open
   */
  public static int readBegins() {
    PriorityScope scope = CURRENT.get();
    if (scope == null || scope.reads == 0) {
      return 0;
    }
    return --scope.reads;
  }

  /**
   * Ends the scope; a second call does nothing.
   *
   * @throws IllegalStateException if another thread opened the scope, or if a scope that was opened
   *     later is still open
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (Thread.currentThread() != owner || CURRENT.get() != this) {
      throw new IllegalStateException(
          "a priority scope must be closed by the thread that opened it, innermost first");
    }
    closed = true;
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }
}
