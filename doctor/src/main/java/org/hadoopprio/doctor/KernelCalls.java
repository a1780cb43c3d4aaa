package org.hadoopprio.doctor;

/** What only a system call can tell; tests replace it. */
interface KernelCalls {

  /** Why a thread's I/O priority cannot be set; empty where it can. */
  String ioprioProblem();

  /** Why io_uring cannot be used by this process; empty where it can. */
  String ioUringProblem();
}
