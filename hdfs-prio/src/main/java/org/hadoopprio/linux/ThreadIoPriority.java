// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.log.HopTrace;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calling thread's I/O priority in the kernel.
 *
 * <p>{@link #apply} and {@link #restore} bracket one piece of work; {@link #settle} is for pool
 * threads, which inherit the priority of the thread that created them. If a priority cannot be set,
 * no call throws: the work continues at the thread's current priority, which is counted and logged
 * once. The last known value of each thread is cached, so a call that changes nothing makes no
 * system call. While all modules are off, nothing is set but what a thread had before. Thread-safe.
 */
public final class ThreadIoPriority {

  /**
   * Returned by {@link #apply} if there is nothing to restore. It is 0 because woven code passes 0
   * to {@link #restore} after a failure of the preceding advice.
   */
  public static final int UNCHANGED = 0;

  private static final int EPERM = 1;
  private static final String CALL = "ioprio_set";

  private static final Logger LOG = LoggerFactory.getLogger(ThreadIoPriority.class);

  /** The reason why priorities cannot be set in this process; null if they can. */
  private static final String UNAVAILABLE;

  /** The priority with which the process was started (ionice, systemd); threads return to it. */
  private static final int PROCESS_VALUE;

  static {
    String reason = null;
    int value = 0;
    if (!System.getProperty("os.name").equals("Linux")) {
      reason = "ioprio_set exists on Linux only, this is " + System.getProperty("os.name");
    } else {
      try {
        value = IoprioSyscall.get();
        if (value < 0) {
          reason = "ioprio_get failed";
        }
      } catch (Error e) {
        // A LinkageError if JNA is missing; JNA throws a plain Error for a native library of
        // another version.
        reason = "JNA or its native library is not usable (" + e + ")";
      }
    }
    UNAVAILABLE = reason;
    PROCESS_VALUE = value;
    if (reason != null) {
      LOG.warn("I/O priorities are not set in this process: {}", reason);
    }
  }

  private static final ThreadLocal<int[]> KNOWN = new ThreadLocal<>();

  private static volatile boolean everApplied;
  private static volatile boolean realtimeDenied;
  private static volatile boolean failureLogged;

  private ThreadIoPriority() {}

  /** The reason why this process cannot set priorities, or null if it can. */
  public static String unavailableReason() {
    return UNAVAILABLE;
  }

  /**
   * Sets the calling thread's priority for one piece of work.
   *
   * @return the value to pass to {@link #restore} on every exit from that work
   */
  public static int apply(IoPriority priority) {
    if (OffSwitch.isAllOff()) {
      return UNCHANGED;
    }
    if (UNAVAILABLE != null) {
      PriorityMetrics.FAILED.increment();
      return UNCHANGED;
    }
    everApplied = true;
    int[] known = known();
    int before = known[0];
    boolean done = false;
    try {
      set(known, priority);
      if (HopTrace.isOn()) {
        HopTrace.hop(
            "thread", IoPriority.fromKernelValue(IoprioSyscall.get()), "asked=" + priority);
      }
      done = true;
    } finally {
      if (!done) {
        // The log has failed, and the caller gets nothing to restore.
        setRaw(known, before);
      }
    }
    return known[0] == before ? UNCHANGED : before + 1;
  }

  /**
   * Gives the calling thread the process's own priority for one piece of work.
   *
   * @return as {@link #apply} does
   */
  public static int applyOwn() {
    if (UNAVAILABLE != null || !everApplied) {
      return UNCHANGED;
    }
    int[] known = known();
    int before = known[0];
    setRaw(known, PROCESS_VALUE);
    return known[0] == before ? UNCHANGED : before + 1;
  }

  /** Restores the priority that the thread had before {@link #apply}. */
  public static void restore(int applied) {
    if (applied != UNCHANGED) {
      setRaw(known(), applied - 1);
    }
  }

  /**
   * The priority that {@link #apply} has given to the calling thread; null if the thread has the
   * process's own.
   */
  public static IoPriority applied() {
    if (!everApplied) {
      return null;
    }
    int[] known = KNOWN.get();
    return known == null || known[0] == PROCESS_VALUE ? null : IoPriority.fromKernelValue(known[0]);
  }

  /**
   * Gives a pool thread the priority of the work that it is about to do. Null means the process's
   * own, which is set explicitly because the thread may have inherited another.
   */
  public static void settle(IoPriority priority) {
    if (UNAVAILABLE != null || (priority == null && !everApplied)) {
      return;
    }
    int[] known = known();
    if (priority == null || OffSwitch.isAllOff()) {
      setRaw(known, PROCESS_VALUE);
    } else {
      set(known, priority);
    }
  }

  private static int[] known() {
    int[] known = KNOWN.get();
    if (known == null) {
      known = new int[] {IoprioSyscall.get()};
      KNOWN.set(known);
    }
    return known;
  }

  private static void set(int[] known, IoPriority priority) {
    if (priority.ioClass() == IoClass.REALTIME) {
      setRealtime(known, priority);
    } else {
      setRaw(known, priority.kernelValue());
    }
  }

  private static void setRealtime(int[] known, IoPriority priority) {
    boolean first = !realtimeDenied;
    if (first) {
      int errno = change(known, priority.kernelValue());
      if (errno == 0) {
        return;
      }
      if (errno != EPERM) {
        failed(priority.kernelValue(), errno);
        return;
      }
      realtimeDenied = true;
    }
    PriorityMetrics.DENIED.increment();
    setRaw(known, IoPriority.bestEffort(0).kernelValue());
    if (first) {
      // Now it is known whether the kernel refuses all classes.
      sayDenied();
    }
  }

  private static void sayDenied() {
    ProcessRights rights = ProcessRights.ofThread();
    if (rights.hasSysNice() && rights.isInFirstUserNamespace()) {
      RefusedCalls.add(
          CALL, EPERM, "real-time requests are served at be:0 although it has CAP_SYS_NICE");
    } else {
      LOG.warn(
          "Real-time I/O priority needs CAP_SYS_NICE, which this process lacks (ioprio_set: EPERM);"
              + " real-time requests are served at be:0 instead. With systemd:"
              + " AmbientCapabilities=CAP_SYS_NICE");
    }
  }

  private static void setRaw(int[] known, int value) {
    int errno = change(known, value);
    if (errno != 0) {
      failed(value, errno);
    }
  }

  private static int change(int[] known, int value) {
    if (known[0] == value) {
      return 0;
    }
    RefusedCalls.announce();
    int errno = IoprioSyscall.set(value);
    if (errno == 0) {
      known[0] = value;
    }
    return errno;
  }

  private static void failed(int value, int errno) {
    PriorityMetrics.FAILED.increment();
    if (RefusedCalls.isRefusal(errno)) {
      // A thread's own priority needs no right but for real-time.
      RefusedCalls.add(CALL, errno, "no priority is set, and requests are served at normal");
    } else if (!failureLogged) {
      failureLogged = true;
      LOG.warn(
          "ioprio_set({}) failed with errno {}; reads continue. This is logged once", value, errno);
    }
  }
}
