// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import java.util.ArrayDeque;

/** A submission queue: commands that the drive has not taken yet, the oldest first. */
final class SubmissionQueue {

  private final QueueClass queueClass;
  private final ArrayDeque<Command> commands = new ArrayDeque<>();

  SubmissionQueue(QueueClass queueClass) {
    this.queueClass = queueClass;
  }

  QueueClass queueClass() {
    return queueClass;
  }

  void add(Command command) {
    commands.add(command);
  }

  boolean isEmpty() {
    return commands.isEmpty();
  }

  /** The oldest command, taken from it; null if there is none. */
  Command poll() {
    return commands.poll();
  }
}
