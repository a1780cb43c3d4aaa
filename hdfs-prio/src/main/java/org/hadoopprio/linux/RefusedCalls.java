// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * System calls that the kernel refuses this process although it has the rights for them: a seccomp
 * filter of its container or unit does, or a security module. Each is logged once. Thread-safe.
 */
public final class RefusedCalls {

  private static final int EPERM = 1;
  private static final int EACCES = 13;
  private static final int ENOSYS = 38;

  private static final Logger LOG = LoggerFactory.getLogger(RefusedCalls.class);

  private static final Map<String, String> REASONS = new ConcurrentSkipListMap<>();
  private static final AtomicBoolean ANNOUNCED = new AtomicBoolean();

  private RefusedCalls() {}

  /**
   * One line for each call, {@code NAME: WHY}, as far as it was made; empty for none. Makes no
   * system call itself.
   */
  public static List<String> all() {
    return List.copyOf(REASONS.values());
  }

  /** Whether an errno says that the call is not to be made, rather than how it was made. */
  static boolean isRefusal(int errno) {
    return errno == EPERM || errno == EACCES || errno == ENOSYS;
  }

  /**
   * Notes that a call is refused.
   *
   * @param call its name, e.g. {@code ioprio_set}
   * @param effect what does not work, for the log
   */
  static void add(String call, int errno, String effect) {
    if (REASONS.containsKey(call)) {
      return;
    }
    boolean filtered = ProcessRights.ofThread().isFiltered();
    String reason =
        String.format(
            "%s: refused with %s by %s; %s",
            call,
            name(errno),
            filtered
                ? "the seccomp filter of this process"
                : "a security module (SELinux, AppArmor) or an older kernel",
            effect);
    if (REASONS.putIfAbsent(call, reason) == null) {
      LOG.warn(
          "{}. {}. This is logged once",
          reason,
          filtered
              ? "Allow it in the container's seccomp profile; with systemd: SystemCallFilter="
                  + call
              : "The kernel's audit log has it (ausearch -m avc -ts recent)");
    }
  }

  private static String name(int errno) {
    switch (errno) {
      case EPERM:
        return "EPERM";
      case EACCES:
        return "EACCES";
      case ENOSYS:
        return "ENOSYS";
      default:
        return "errno " + errno;
    }
  }

  /**
   * Says before the first call that a filter may forbid, what it means if the process ends with it:
   * a filter may end a process instead of refusing the call, and then nobody can say anything.
   */
  static void announce() {
    if (!ANNOUNCED.get()
        && ANNOUNCED.compareAndSet(false, true)
        && ProcessRights.ofThread().isFiltered()) {
      LOG.info(
          "This process has a seccomp filter. If the kernel ends it with SIGSYS (exit status 159),"
              + " the filter has to allow ioprio_set and cachestat: docs/runbooks.md, \"A priority"
              + " has no effect\"");
    }
  }
}
