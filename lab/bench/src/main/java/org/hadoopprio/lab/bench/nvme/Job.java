// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

/** A thread of an application on one core: it keeps a number of reads under way. Immutable. */
final class Job {

  final String application;
  final SubmissionQueue queue;
  final int depth;

  /** The mean time between an answer and the next read, in seconds; 0 is at once. */
  final double thinkSeconds;

  Job(String application, SubmissionQueue queue, int depth, double thinkSeconds) {
    this.application = application;
    this.queue = queue;
    this.depth = depth;
    this.thinkSeconds = thinkSeconds;
  }
}
