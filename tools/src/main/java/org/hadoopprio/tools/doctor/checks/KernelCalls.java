// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.util.Optional;
import org.hadoopprio.IoPriority;

/** Checks that need a system call; tests replace them. */
public interface KernelCalls {

  /** The reason why a thread's I/O priority cannot be set; empty if it can. */
  String ioprioProblem();

  /** The reason why this process cannot use io_uring; empty if it can. */
  String ioUringProblem();

  /** The I/O priority that a process was started with; empty if it cannot be read. */
  Optional<IoPriority> ioprio(long pid);
}
