// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import java.io.RandomAccessFile;
import org.hadoopprio.IoPriority;

/** Puts a seccomp filter on its thread, works twice, and prints what the kernel has refused. */
public final class FilteredMain {

  private static final long PR_SET_DUMPABLE = 4;
  private static final long PR_SET_NO_NEW_PRIVS = 38;
  private static final long PR_SET_SECCOMP = 22;
  private static final long SECCOMP_MODE_FILTER = 2;
  private static final int SECCOMP_RET_KILL_PROCESS = 0x80000000;
  private static final int SECCOMP_RET_ERRNO = 0x00050000;
  private static final int SECCOMP_RET_ALLOW = 0x7fff0000;

  /** Instructions of classic BPF (include/uapi/linux/filter.h): load, jump if equal, return. */
  private static final short LOAD = 0x20;

  private static final short JUMP_IF_EQUAL = 0x15;
  private static final short RETURN = 0x06;
  private static final int INSTRUCTION_BYTES = 8;
  private static final int INSTRUCTIONS = 4;

  private FilteredMain() {}

  private static native long prctl(long option, long two, long three, long four, long five);

  private static native long prctl(long option, long two, Memory program, long four, long five);

  /**
   * Takes the work (a priority, or {@code cache}), the call that is not allowed ({@code none}: all
   * are), the answer (an errno or {@code kill}), and a file.
   */
  public static void main(String[] args) throws Exception {
    NativeCalls.bind(FilteredMain.class);
    if (!args[1].equals("none")) {
      forbid(
          args[1].equals("cachestat") ? SyscallNumbers.CACHESTAT : SyscallNumbers.here().ioprioSet,
          args[2].equals("kill")
              ? SECCOMP_RET_KILL_PROCESS
              : SECCOMP_RET_ERRNO | Integer.parseInt(args[2]));
    }
    for (int i = 0; i < 2; i++) {
      if (args[0].equals("cache")) {
        try (RandomAccessFile file = new RandomAccessFile(args[3], "r")) {
          PageCache.isResident(DescriptorNumber.of(file.getFD()), 0, 1);
        }
      } else {
        ThreadIoPriority.restore(ThreadIoPriority.apply(IoPriority.parse(args[0])));
      }
    }
    RefusedCalls.all().forEach(line -> System.out.println("refused=" + line));
  }

  private static void forbid(long call, int answer) {
    Memory code = new Memory((long) INSTRUCTIONS * INSTRUCTION_BYTES);
    // Offset 0 of struct seccomp_data is the number of the call.
    put(code, 0, LOAD, 0, 0, 0);
    put(code, 1, JUMP_IF_EQUAL, 0, 1, (int) call);
    put(code, 2, RETURN, 0, 0, answer);
    put(code, 3, RETURN, 0, 0, SECCOMP_RET_ALLOW);
    // struct sock_fprog: a number and, where pointers are aligned, the instructions.
    Memory program = new Memory(2L * Native.POINTER_SIZE);
    program.setShort(0, (short) INSTRUCTIONS);
    program.setPointer(Native.POINTER_SIZE, code);
    // No core of a JVM where the kernel would write one.
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0) != 0) {
      throw new IllegalStateException("prctl: errno " + Native.getLastError());
    }
  }

  private static void put(Memory code, int index, short what, int yes, int no, int operand) {
    long at = (long) index * INSTRUCTION_BYTES;
    code.setShort(at, what);
    code.setByte(at + 2, (byte) yes);
    code.setByte(at + 3, (byte) no);
    code.setInt(at + 4, operand);
  }
}
