package org.hadoopprio.doctor;

/** Checks that need a system call; tests replace them. */
interface KernelCalls {

  /** The reason why a thread's I/O priority cannot be set; empty if it can. */
  String ioprioProblem();

  /** The reason why this process cannot use io_uring; empty if it can. */
  String ioUringProblem();
}
