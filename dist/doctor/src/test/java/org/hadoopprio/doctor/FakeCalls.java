package org.hadoopprio.doctor;

/** System calls with given results; by default all succeed. */
final class FakeCalls implements KernelCalls {

  private String ioprio = "";
  private String ioUring = "";

  FakeCalls ioprioProblem(String reason) {
    ioprio = reason;
    return this;
  }

  FakeCalls ioUringProblem(String reason) {
    ioUring = reason;
    return this;
  }

  @Override
  public String ioprioProblem() {
    return ioprio;
  }

  @Override
  public String ioUringProblem() {
    return ioUring;
  }
}
