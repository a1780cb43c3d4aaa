package org.hadoopprio.doctor;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.ThreadIoPriority;

/** The calls themselves. */
final class LinuxCalls implements KernelCalls {

  /** The same on all architectures (include/uapi/asm-generic/unistd.h and arch syscall tables). */
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
      return before == ThreadIoPriority.UNCHANGED ? "ioprio_set did not set " + wanted : "";
    } finally {
      ThreadIoPriority.restore(before);
    }
  }

  @Override
  public String ioUringProblem() {
    try {
      Function syscall = NativeLibrary.getInstance("c").getFunction("syscall");
      // No entries and no parameters: refused, but with EFAULT or EINVAL where io_uring is there.
      Object[] arguments = {new NativeLong(IO_URING_SETUP), new NativeLong(0), new NativeLong(0)};
      syscall.invoke(NativeLong.class, arguments);
      int errno = Native.getLastError();
      if (errno == ENOSYS) {
        return "this kernel has none";
      }
      return errno == EPERM
          ? "switched off for this process (kernel.io_uring_disabled or a seccomp filter)"
          : "";
    } catch (LinkageError e) {
      return "JNA is not usable (" + e + ")";
    }
  }
}
