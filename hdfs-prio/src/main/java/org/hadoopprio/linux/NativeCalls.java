// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import com.sun.jna.Native;

/** Binds the native methods of a class to libc, through JNA. */
final class NativeCalls {

  private NativeCalls() {}

  /**
   * Binds all native methods of a class. A client's thread may be the first to come here.
   *
   * @throws Error a LinkageError if JNA is missing; JNA throws a plain Error for a native library
   *     of another version
   */
  static void bind(Class<?> type) {
    keepingInterrupt(() -> Native.register(type, "c"));
  }

  /** Gives the thread back its interrupt, which JNA swallows when it waits for ldconfig. */
  static void keepingInterrupt(Runnable work) {
    boolean interrupted = Thread.interrupted();
    try {
      work.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
