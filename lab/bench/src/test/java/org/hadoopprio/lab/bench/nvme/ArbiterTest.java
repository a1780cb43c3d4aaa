// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArbiterTest {

  private final List<SubmissionQueue> queues = new ArrayList<>();

  /** A queue with commands that bear a name. */
  private void queue(QueueClass queueClass, String name, int commands) {
    SubmissionQueue queue = new SubmissionQueue(queueClass);
    queues.add(queue);
    add(queue, name, commands);
  }

  private static void add(SubmissionQueue queue, String name, int commands) {
    for (int i = 0; i < commands; i++) {
      queue.add(new Command(new Job(name, queue, 1, 0), i));
    }
  }

  private static String take(Arbiter arbiter, int commands) {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < commands; i++) {
      names.append(arbiter.next().job().application());
    }
    return names.toString();
  }

  private Arbiter weighted(int burst, Integer... weights) {
    return new WeightedRoundRobin(queues, burst, List.of(weights));
  }

  @Test
  void roundRobinTakesABurstFromEachQueue() {
    queue(QueueClass.HIGH, "a", 5);
    queue(QueueClass.LOW, "b", 1);
    queue(QueueClass.URGENT, "c", 3);
    Arbiter arbiter = new RoundRobin(queues, 2);
    assertEquals("aabccaaca", take(arbiter, 9));
    assertNull(arbiter.next());
    add(queues.get(1), "d", 3);
    assertEquals("ddd", take(arbiter, 3));
    assertThrows(IllegalArgumentException.class, () -> new RoundRobin(queues, 0));
    assertNull(new RoundRobin(List.of(), 1).next());
  }

  @Test
  void weightsAreCommandsInARound() {
    queue(QueueClass.LOW, "l", 9);
    queue(QueueClass.MEDIUM, "m", 9);
    queue(QueueClass.HIGH, "h", 9);
    assertEquals("hhhmmlhhhmml", take(weighted(8, 3, 2, 1), 12));
  }

  @Test
  void urgentGoesFirstWhateverTheCredits() {
    queue(QueueClass.HIGH, "h", 9);
    queue(QueueClass.URGENT, "u", 0);
    queue(QueueClass.LOW, "l", 9);
    Arbiter arbiter = weighted(8, 2, 1, 1);
    assertEquals("h", take(arbiter, 1));
    add(queues.get(1), "u", 3);
    assertEquals("uuuhlhhl", take(arbiter, 8));
  }

  @Test
  void whatAClassDoesNotUseIsSharedByTheOthers() {
    queue(QueueClass.HIGH, "h", 2);
    queue(QueueClass.LOW, "l", 9);
    Arbiter arbiter = weighted(8, 5, 3, 1);
    assertEquals("hhllll", take(arbiter, 6));
    add(queues.get(0), "h", 6);
    // The low one has had its command of this round.
    assertEquals("hhhhhhl", take(arbiter, 7));
  }

  @Test
  void queuesOfAClassTakeTurnsByBurstsOrWhatCreditsAreLeft() {
    queue(QueueClass.HIGH, "a", 9);
    queue(QueueClass.HIGH, "b", 9);
    queue(QueueClass.LOW, "l", 9);
    assertEquals("aabblaab", take(weighted(2, 4, 1, 1), 8));
    // Three credits: the burst of eight ends with them.
    assertEquals("aaalbbbl", take(weighted(8, 3, 1, 1), 8));
  }

  @Test
  void weightsAreThreeNumbersFrom1To256() {
    for (List<Integer> wrong : List.of(List.of(3, 2), List.of(3, 0, 1), List.of(257, 2, 1))) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> new WeightedRoundRobin(queues, 1, wrong));
      assertTrue(refused.getMessage().contains("1 to 256"), refused.getMessage());
    }
  }
}
