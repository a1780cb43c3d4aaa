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
 * request with a target can be.
 */
public final class PriorityScope implements AutoCloseable {

  private static final ThreadLocal<PriorityScope> CURRENT = new ThreadLocal<>();

  private final PriorityScope outer;
  private final IoPriority priority;
  private final IoRole role;
  private final Thread owner;

  /** Used only with a target. */
  private final long openedNanos;

  private boolean closed;

  private PriorityScope(IoPriority priority, IoRole role, PriorityScope outer) {
    this.priority = priority;
    this.role = role;
    this.outer = outer;
    this.owner = Thread.currentThread();
    this.openedNanos = priority.hasTarget() ? System.nanoTime() : 0;
  }

  /**
   * Opens a scope on the calling thread; close it in the same block.
   *
   * @throws IllegalArgumentException if {@code priority} is null
   */
  public static PriorityScope open(IoPriority priority) {
    return open(priority, null);
  }

  /**
   * Opens a scope that also says what the work is for; DataNodes count it by that.
   *
   * @param role null for what applications do: a read or a write of a client
   * @throws IllegalArgumentException if {@code priority} is null
   */
  public static PriorityScope open(IoPriority priority, IoRole role) {
    if (priority == null) {
      throw new IllegalArgumentException("I/O priority is null; allowed: " + IoPriority.ALLOWED);
    }
    PriorityScope scope = new PriorityScope(priority, role, CURRENT.get());
    CURRENT.set(scope);
    return scope;
  }

  /**
   * The priority of the innermost open scope of the calling thread, with what is left of its target
   * now; null if none is open.
   */
  public static IoPriority current() {
    PriorityScope scope = CURRENT.get();
    if (scope == null || !scope.priority.hasTarget()) {
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
