// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

/** The system call numbers of the supported architectures (arch/.../syscall*.tbl). */
enum SyscallNumbers {
  X86_64(251, 252, 327, 16),
  ASM_GENERIC(30, 31, 286, 29),
  POWERPC(273, 274, 380, 54),
  S390(282, 283, 376, 54);

  /** Calls that are as young as these have one number on all these architectures. */
  static final long OPENAT2 = 437;

  static final long CACHESTAT = 451;

  final long ioprioSet;
  final long ioprioGet;
  final long preadv2;
  final long ioctl;

  SyscallNumbers(long ioprioSet, long ioprioGet, long preadv2, long ioctl) {
    this.ioprioSet = ioprioSet;
    this.ioprioGet = ioprioGet;
    this.preadv2 = preadv2;
    this.ioctl = ioctl;
  }

  /**
   * The numbers of the system that this process runs on.
   *
   * @throws UnsatisfiedLinkError if they are not known
   */
  static SyscallNumbers here() {
    String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
    switch (system) {
      case "Linux on amd64":
      case "Linux on x86_64":
        return X86_64;
      case "Linux on aarch64":
      case "Linux on riscv64":
      case "Linux on loongarch64":
        return ASM_GENERIC;
      case "Linux on ppc64le":
        return POWERPC;
      case "Linux on s390x":
        return S390;
      default:
        throw new UnsatisfiedLinkError("the system call numbers are not known for " + system);
    }
  }
}
