package org.hadoopprio.linux;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
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

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(PeerUser.class));

  private PeerUser() {}

  /** The functions of libc; a class of its own because it may fail to load. */
  private static final class Libc {

    static {
      Native.register(Libc.class, "c");
    }

    private Libc() {}

    static native int getsockopt(
        int descriptor, int level, int option, int[] value, int[] valueBytes);

    static native Pointer getpwuid(int uid);
  }

  /**
   * The name of the user.
   *
   * @param descriptor the number of the connected socket
   * @return null if it is not known, for a reason that is logged, or if the user has no name here
   */
  public static String of(int descriptor) {
    try {
      // struct ucred: pid, uid, gid
      int[] credentials = new int[3];
      int[] bytes = {12};
      int result = Libc.getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, credentials, bytes);
      if (result == 0 && bytes[0] == 12) {
        return name(credentials[1]);
      }
      LOG.warn("The user of a short-circuit reader is not known: SO_PEERCRED failed");
    } catch (Error e) {
      // A LinkageError if JNA is missing; JNA throws a plain Error for a native library of another
      // version.
      LOG.warn("The user of a short-circuit reader is not known: " + e);
    }
    return null;
  }

  /** getpwuid(3) returns memory of its own, which its next call overwrites. */
  private static synchronized String name(int uid) {
    Pointer entry = Libc.getpwuid(uid);
    return entry == null ? null : entry.getPointer(0).getString(0);
  }
}
