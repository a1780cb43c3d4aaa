// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import java.util.List;

/**
 * Round robin: from one queue after the other, a burst of commands at most from each. NVMe base
 * specification, "Round Robin Arbitration".
 */
final class RoundRobin implements Arbiter {

  private final List<SubmissionQueue> queues;
  private final int burst;
  private int current;
  private int taken;

  /**
   * Round robin among queues.
   *
   * @param burst commands taken from a queue before the next one's turn, 1 or more
   */
  RoundRobin(List<SubmissionQueue> queues, int burst) {
    if (burst < 1) {
      throw new IllegalArgumentException("a burst must be 1 or more, not " + burst);
    }
    this.queues = List.copyOf(queues);
    this.burst = burst;
  }

  @Override
  public Command next() {
    // Once around, and back to the current queue, which may be the only one with commands.
    for (int i = 0; i <= queues.size() && !queues.isEmpty(); i++) {
      SubmissionQueue queue = queues.get(current);
      if (taken < burst && !queue.isEmpty()) {
        taken++;
        return queue.poll();
      }
      endBurst();
    }
    return null;
  }

  /** The next command comes from the next queue that has one. */
  void endBurst() {
    taken = 0;
    current = queues.isEmpty() ? 0 : (current + 1) % queues.size();
  }
}
