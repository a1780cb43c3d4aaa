// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import java.util.Optional;
import org.hadoopprio.IoPriority;
import org.hadoopprio.tools.doctor.checks.KernelCalls;

/** System calls with given results; by default all succeed. */
final class FakeCalls implements KernelCalls {

  private String ioprio = "";
  private String ioUring = "";
  private Optional<IoPriority> started = Optional.of(IoPriority.NONE);

  FakeCalls ioprioProblem(String reason) {
    ioprio = reason;
    return this;
  }

  FakeCalls ioUringProblem(String reason) {
    ioUring = reason;
    return this;
  }

  /** Sets the priority of all processes; null if it cannot be read. */
  FakeCalls ioprio(IoPriority value) {
    started = Optional.ofNullable(value);
    return this;
  }

  @Override
  public Optional<IoPriority> ioprio(long pid) {
    return started;
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
