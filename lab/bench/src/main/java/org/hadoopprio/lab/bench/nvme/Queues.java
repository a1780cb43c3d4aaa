// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which submission queues a core has, and how the drive takes commands from them. */
enum Queues {
  /** What Linux has: one queue for each core, and round robin. */
  ONE("one-queue", 0, 0, 0),
  /** A queue for each class, and a drive that does not tell them apart. */
  ROUND_ROBIN("round-robin", 0, 0, 0),
  WEIGHTS_3_2_1("weights-3-2-1", 3, 2, 1),
  WEIGHTS_16_8_1("weights-16-8-1", 16, 8, 1),
  WEIGHTS_128_64_1("weights-128-64-1", 128, 64, 1);

  /** The default of the module's {@code wrr_burst}. */
  static final int BURST = 8;

  private final String id;
  private final int high;
  private final int medium;
  private final int low;

  /** With weights; 0 where there are none. */
  Queues(String id, int high, int medium, int low) {
    this.id = id;
    this.high = high;
    this.medium = medium;
    this.low = low;
  }

  /** The name in results. */
  String id() {
    return id;
  }

  static Queues of(String id) {
    Optional<Queues> named = Arrays.stream(values()).filter(q -> q.id.equals(id)).findFirst();
    return named.orElseThrow(() -> new IllegalArgumentException("no queues " + id));
  }

  /** The queues of some cores. */
  OfCores set(int cores) {
    return new OfCores(this, cores);
  }

  /** Queues that a drive takes commands from. */
  static final class OfCores {
    private final List<Map<QueueClass, SubmissionQueue>> cores = new ArrayList<>();
    private final Arbiter arbiter;

    private OfCores(Queues kind, int count) {
      List<SubmissionQueue> all = new ArrayList<>();
      for (int core = 0; core < count; core++) {
        Map<QueueClass, SubmissionQueue> own = new EnumMap<>(QueueClass.class);
        SubmissionQueue only = new SubmissionQueue(QueueClass.MEDIUM);
        for (QueueClass each : QueueClass.values()) {
          own.put(each, kind == ONE ? only : new SubmissionQueue(each));
        }
        cores.add(own);
        all.addAll(kind == ONE ? List.of(only) : own.values());
      }
      arbiter =
          kind.high == 0
              ? new RoundRobin(all, BURST)
              : new WeightedRoundRobin(all, BURST, List.of(kind.high, kind.medium, kind.low));
    }

    Arbiter arbiter() {
      return arbiter;
    }

    SubmissionQueue queue(int core, QueueClass queueClass) {
      return cores.get(core).get(queueClass);
    }
  }
}
