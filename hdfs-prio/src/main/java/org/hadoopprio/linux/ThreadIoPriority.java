package org.hadoopprio.linux;

import org.hadoopprio.HopTrace;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calling thread's I/O priority in the kernel.
 *
 * <p>{@link #apply} and {@link #restore} bracket one piece of work; {@link #settle} serves pool
 * threads, which inherit the priority of whichever thread happened to create them. No call throws:
 * where a priority cannot be set the work goes on at the one the thread has, counted and said once.
 * Each thread's last known value is remembered, so a call that changes nothing makes no system
 * call.
 */
public final class ThreadIoPriority {

  /**
   * What {@link #apply} returns when there is nothing to restore. 0, because that is what woven
   * code hands to {@link #restore} when the advice before it has failed.
   */
  public static final int UNCHANGED = 0;

  private static final int EPERM = 1;

  private static final Logger LOG = LoggerFactory.getLogger(ThreadIoPriority.class);

  /** Why priorities cannot be set in this process; null where they can. */
  private static final String UNAVAILABLE;

  /** The priority the process was started with (ionice, systemd), which threads go back to. */
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
        // A LinkageError where JNA is missing; JNA throws a plain Error for a native library of
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

  /** Why this process cannot set priorities, or null where it can. */
  public static String unavailableReason() {
    return UNAVAILABLE;
  }

  /**
   * Sets the calling thread's priority for one piece of work.
   *
   * @return to be handed to {@link #restore} on every way out of that work
   */
  public static int apply(IoPriority priority) {
    if (UNAVAILABLE != null) {
      PriorityMetrics.FAILED.increment();
      return UNCHANGED;
    }
    everApplied = true;
    int[] known = known();
    int before = known[0];
    set(known, priority);
    if (HopTrace.isOn()) {
      HopTrace.hop("thread", IoPriority.fromKernelValue(IoprioSyscall.get()), "asked=" + priority);
    }
    return known[0] == before ? UNCHANGED : before + 1;
  }

  /** Ends what {@link #apply} began. */
  public static void restore(int applied) {
    if (applied != UNCHANGED) {
      setRaw(known(), applied - 1);
    }
  }

  /**
   * The priority in force on the calling thread through {@link #apply}; null where the thread has
   * the process's own.
   */
  public static IoPriority applied() {
    if (!everApplied) {
      return null;
    }
    int[] known = KNOWN.get();
    return known == null || known[0] == PROCESS_VALUE ? null : IoPriority.fromKernelValue(known[0]);
  }

  /**
   * Gives a pool thread the priority of the work it is about to do; null means the process's own,
   * which is set explicitly because the thread may have inherited another.
   */
  public static void settle(IoPriority priority) {
    if (UNAVAILABLE != null || (priority == null && !everApplied)) {
      return;
    }
    int[] known = known();
    if (priority == null) {
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
    if (!realtimeDenied) {
      int errno = change(known, priority.kernelValue());
      if (errno == 0) {
        return;
      }
      if (errno != EPERM) {
        failed(priority.kernelValue(), errno);
        return;
      }
      realtimeDenied = true;
      LOG.warn(
          "Real-time I/O priority needs CAP_SYS_NICE, which this process lacks (ioprio_set: EPERM);"
              + " real-time requests are served at be:0 instead. With systemd:"
              + " AmbientCapabilities=CAP_SYS_NICE");
    }
    PriorityMetrics.DENIED.increment();
    setRaw(known, IoPriority.bestEffort(0).kernelValue());
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
    int errno = IoprioSyscall.set(value);
    if (errno == 0) {
      known[0] = value;
    }
    return errno;
  }

  private static void failed(int value, int errno) {
    PriorityMetrics.FAILED.increment();
    if (!failureLogged) {
      failureLogged = true;
      LOG.warn("ioprio_set({}) failed with errno {}; reads go on, logged once", value, errno);
    }
  }
}
