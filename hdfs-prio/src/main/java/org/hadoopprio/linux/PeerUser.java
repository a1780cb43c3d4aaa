// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import java.lang.ref.Reference;
import org.hadoopprio.log.RateLimitedLog;
import org.slf4j.LoggerFactory;

/**
 * The user at the other end of a Unix domain socket, as the kernel knows it (SO_PEERCRED, unix(7)):
 * the one who connected. Thread-safe.
 */
public final class PeerUser {

  private static final int SOL_SOCKET = 1;

  /** Of include/uapi/asm-generic/socket.h, and of arch/powerpc. */
  private static final int SO_PEERCRED = System.getProperty("os.arch").startsWith("ppc") ? 21 : 17;

  /** More than struct passwd of pwd.h has, which begins with the address of the name. */
  private static final int PASSWD_BYTES = 256;

  /** The most memory that the texts of a user are given. */
  private static final long MAX_TEXT_BYTES = 1 << 20;

  private static final int ERANGE = 34;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(PeerUser.class));

  private PeerUser() {}

  /** The functions of libc; a class of its own because it may fail to load. */
  private static final class Libc {

    static {
      NativeCalls.bind(Libc.class);
    }

    private Libc() {}

    static native int getsockopt(
        int descriptor, int level, int option, int[] value, int[] valueBytes);

    static native int getpwuid_r(
        int uid, Memory entry, Memory texts, long textBytes, Memory result);
  }

  /** The value of {@link #uid} if it is not known. */
  public static final int UNKNOWN = -1;

  /**
   * The number of the user. Waits for nothing.
   *
   * @param descriptor the number of the connected socket
   * @return {@link #UNKNOWN} if it is not known, for a reason that is logged
   */
  public static int uid(int descriptor) {
    try {
      // struct ucred: pid, uid, gid
      int[] credentials = new int[3];
      int[] bytes = {12};
      int result = Libc.getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, credentials, bytes);
      if (result == 0 && bytes[0] == 12) {
        return credentials[1];
      }
      LOG.warn("The user of a short-circuit reader is not known: SO_PEERCRED failed");
    } catch (Error e) {
      // A LinkageError if JNA is missing; JNA throws a plain Error for a native library of another
      // version.
      LOG.warn("The user of a short-circuit reader is not known: " + e);
    }
    return UNKNOWN;
  }

  /**
   * The name of a user, from wherever this machine's users are: it may take as long as a directory
   * service does. No lookup waits for another.
   *
   * @return null if the user has no name here, or is {@link #UNKNOWN}
   */
  public static String name(int uid) {
    if (uid == UNKNOWN) {
      return null;
    }
    Memory entry = new Memory(PASSWD_BYTES);
    Memory result = new Memory(Native.POINTER_SIZE);
    // Not closed: a process may have a JNA of before 5.12, whose Memory cannot be.
    for (long bytes = 1 << 10; bytes <= MAX_TEXT_BYTES; bytes *= 4) {
      Memory texts = new Memory(bytes);
      try {
        int error = Libc.getpwuid_r(uid, entry, texts, bytes, result);
        if (error != ERANGE) {
          boolean found = error == 0 && result.getPointer(0) != null;
          return found ? entry.getPointer(0).getString(0) : null;
        }
      } finally {
        Reference.reachabilityFence(texts);
      }
    }
    return null;
  }
}
