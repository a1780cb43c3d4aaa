// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import java.util.Optional;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.ProcessIoPriority;
import org.hadoopprio.linux.RefusedCalls;
import org.hadoopprio.linux.ThreadIoPriority;

/** Makes the system calls. */
public final class LinuxCalls implements KernelCalls {

  /**
   * The number of io_uring_setup on all architectures (include/uapi/asm-generic/unistd.h and arch
   * syscall tables).
   */
  private static final long IO_URING_SETUP = 425;

  private static final int EPERM = 1;
  private static final int ENOSYS = 38;

  @Override
  public String ioprioProblem() {
    String reason = ThreadIoPriority.unavailableReason();
    if (reason != null) {
      return reason;
    }
    IoPriority wanted = IoPriority.bestEffort(7);
    int before = ThreadIoPriority.apply(wanted);
    try {
      return before == ThreadIoPriority.UNCHANGED
          ? RefusedCalls.all().stream().findFirst().orElse("ioprio_set did not set " + wanted)
          : "";
    } finally {
      ThreadIoPriority.restore(before);
    }
  }

  @Override
  public Optional<IoPriority> ioprio(long pid) {
    return ProcessIoPriority.of(pid);
  }

  @Override
  public String ioUringProblem() {
    try {
      Function syscall = NativeLibrary.getInstance("c").getFunction("syscall");
      // No entries and no parameters: where io_uring exists, it fails with EFAULT or EINVAL.
      Object[] arguments = {new NativeLong(IO_URING_SETUP), new NativeLong(0), new NativeLong(0)};
      syscall.invoke(NativeLong.class, arguments);
      int errno = Native.getLastError();
      if (errno == ENOSYS) {
        return "this kernel does not have it";
      }
      return errno == EPERM
          ? "disabled for this process (kernel.io_uring_disabled or a seccomp filter)"
          : "";
    } catch (LinkageError e) {
      return "JNA is not usable (" + e + ")";
    }
  }
}
