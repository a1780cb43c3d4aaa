// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Weighted round robin with urgent priority class, as the NVMe base specification has it: urgent
 * queues before all others, then high, medium and low ones by their weights. Each class has as many
 * credits as its weight, a command takes one, and a class without credits waits until no class has
 * both credits and commands. Queues of one class take turns: a burst of commands, or what credits
 * are left.
 *
 * <p>The admin queue, which goes before these, has no part in reads.
 */
final class WeightedRoundRobin implements Arbiter {

  private static final List<QueueClass> WEIGHTED =
      List.of(QueueClass.HIGH, QueueClass.MEDIUM, QueueClass.LOW);

  private final RoundRobin urgent;
  private final Map<QueueClass, RoundRobin> classes = new EnumMap<>(QueueClass.class);
  private final Map<QueueClass, Integer> weights = new EnumMap<>(QueueClass.class);
  private final Map<QueueClass, Integer> credits = new EnumMap<>(QueueClass.class);

  /**
   * Weighted round robin among queues.
   *
   * @param burst of the queues of a class, see {@link RoundRobin}
   * @param weights those of high, medium and low, each from 1 to 256
   */
  WeightedRoundRobin(List<SubmissionQueue> queues, int burst, List<Integer> weights) {
    if (weights.size() != WEIGHTED.size() || weights.stream().anyMatch(w -> w < 1 || w > 256)) {
      throw new IllegalArgumentException(
          "weights must be three numbers from 1 to 256 (high, medium, low), not " + weights);
    }
    urgent = new RoundRobin(of(queues, QueueClass.URGENT), burst);
    for (int i = 0; i < WEIGHTED.size(); i++) {
      QueueClass each = WEIGHTED.get(i);
      classes.put(each, new RoundRobin(of(queues, each), burst));
      this.weights.put(each, weights.get(i));
    }
    credits.putAll(this.weights);
  }

  private static List<SubmissionQueue> of(List<SubmissionQueue> queues, QueueClass wanted) {
    return queues.stream().filter(q -> q.queueClass() == wanted).collect(Collectors.toList());
  }

  @Override
  public Command next() {
    Command command = urgent.next();
    if (command == null) {
      command = weighted();
    }
    if (command == null) {
      credits.putAll(weights);
      command = weighted();
    }
    return command;
  }

  private Command weighted() {
    for (QueueClass each : WEIGHTED) {
      int left = credits.get(each);
      Command command = left > 0 ? classes.get(each).next() : null;
      if (command != null) {
        credits.put(each, left - 1);
        if (left == 1) {
          classes.get(each).endBurst();
        }
        return command;
      }
    }
    return null;
  }
}
