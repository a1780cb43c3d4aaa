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

  private static final Numbers NUMBERS = Numbers.of(System.getProperty("os.arch"));

  static {
    Native.register(IoprioSyscall.class, "c");
  }

  private IoprioSyscall() {}

  /** The system call numbers of the supported architectures (arch/.../syscall*.tbl). */
  private enum Numbers {
    X86_64(251, 252),
    ASM_GENERIC(30, 31),
    POWERPC(273, 274),
    S390(282, 283);

    final long set;
    final long get;

    Numbers(long set, long get) {
      this.set = set;
      this.get = get;
    }

    static Numbers of(String arch) {
      switch (arch) {
        case "amd64":
        case "x86_64":
          return X86_64;
        case "aarch64":
        case "riscv64":
        case "loongarch64":
          return ASM_GENERIC;
        case "ppc64le":
          return POWERPC;
        case "s390x":
          return S390;
        default:
          throw new UnsatisfiedLinkError(
              "the system call number of ioprio_set is not known for " + arch);
      }
    }
  }

  /** syscall(2) is hand-written in libc and takes its arguments as plain longs. */
  private static native long syscall(long number, long which, long who, long value);

  /**
   * Sets the calling thread's I/O priority.
   *
   * @return 0, or the errno
   */
  static int set(int value) {
    return syscall(NUMBERS.set, WHO_PROCESS, CALLING_THREAD, value) == 0
        ? 0
        : Native.getLastError();
  }

  /** The calling thread's I/O priority in kernel encoding, or -1. */
  static int get() {
    return settable((int) syscall(NUMBERS.get, WHO_PROCESS, CALLING_THREAD, 0));
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
