// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import com.sun.jna.Native;

/**
 * ioprio_set(2) and ioprio_get(2), which libc does not wrap, through JNA direct mapping.
 *
 * <p>The class fails to initialize if JNA cannot load its native part; {@link ThreadIoPriority}
 * turns that into one message.
 */
final class IoprioSyscall {

  /** IOPRIO_WHO_PROCESS of include/uapi/linux/ioprio.h; with id 0 it means the calling thread. */
  private static final long WHO_PROCESS = 1;

  private static final long CALLING_THREAD = 0;

  private static final SyscallNumbers NUMBERS = SyscallNumbers.here();

  static {
    NativeCalls.bind(IoprioSyscall.class);
  }

  private IoprioSyscall() {}

  /** syscall(2) is hand-written in libc and takes its arguments as plain longs. */
  private static native long syscall(long number, long which, long who, long value);

  /**
   * Sets the calling thread's I/O priority.
   *
   * @return 0, or the errno
   */
  static int set(int value) {
    return syscall(NUMBERS.ioprioSet, WHO_PROCESS, CALLING_THREAD, value) == 0
        ? 0
        : Native.getLastError();
  }

  /** The calling thread's I/O priority in kernel encoding, or -1. */
  static int get() {
    return get(CALLING_THREAD);
  }

  /** The same of a thread; of a process's main thread if it is the process's id. */
  static int get(long thread) {
    return settable((int) syscall(NUMBERS.ioprioGet, WHO_PROCESS, thread, 0));
  }

  /**
   * The value that ioprio_set accepts for a value that ioprio_get has returned. Kernels before 5.15
   * report class none with level 4 for a thread that never had a priority, and refuse to set class
   * none with any level but 0 (block/ioprio.c, ioprio_check_cap).
   */
  static int settable(int value) {
    return value >= 0 && value >> 13 == 0 ? 0 : value;
  }
}
