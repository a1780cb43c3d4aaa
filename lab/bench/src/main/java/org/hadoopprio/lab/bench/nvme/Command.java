// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

/** A read at the drive, or on its way there. Immutable. */
final class Command {

  final Job job;

  /** When it was put into its submission queue, in seconds. */
  final double submitted;

  Command(Job job, double submitted) {
    this.job = job;
    this.submitted = submitted;
  }
}
