// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

/**
 * How many blocks an operation of a kind reads from HDFS, on average: a Get with several store
 * files reads some, one whose blocks are cached none. Thread-safe.
 *
 * <p>A decaying average whose first samples count in full, as intelliQoS predicts the size of a
 * container (Zhang et al., 2012) and Linux's anticipatory scheduler a process's think time.
 */
final class ReadsPerOperation {

  private static final double DECAY = 7.0 / 8;

  /** What is predicted is taken for a third more than the average: the paper's safety zone. */
  private static final double SAFETY = 4.0 / 3;

  private double samples;
  private double total;

  /** Takes what a call has read. */
  synchronized void add(int reads, int operations) {
    samples = samples * DECAY + 1;
    total = total * DECAY + (double) reads / operations;
  }

  /** How many reads so many operations need; one as long as none has been seen. */
  synchronized int predict(int operations) {
    return samples == 0 ? operations : (int) (operations * SAFETY * total / samples);
  }
}
