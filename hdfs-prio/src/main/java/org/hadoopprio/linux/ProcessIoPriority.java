// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.util.Optional;
import org.hadoopprio.IoPriority;

/** The I/O priority of a process. Thread-safe. */
public final class ProcessIoPriority {

  private ProcessIoPriority() {}

  /**
   * The priority of a process's main thread, which in a JVM is the one that the process was started
   * with; {@link IoPriority#NONE} if it has none.
   *
   * @return empty if there is no such process, or this process cannot ask ({@link
   *     ThreadIoPriority#unavailableReason})
   */
  public static Optional<IoPriority> of(long pid) {
    if (ThreadIoPriority.unavailableReason() != null) {
      return Optional.empty();
    }
    int value = IoprioSyscall.get(pid);
    return value < 0 ? Optional.empty() : Optional.of(IoPriority.fromKernelValue(value));
  }
}
