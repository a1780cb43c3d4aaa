// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

/** What Gets beside a compaction are compared with. */
enum GetSystem {
  ONE_QUEUE("one queue a core (Linux)", Load.GETS, Queues.ONE),
  ROUND_ROBIN("four queues a core, round robin", Load.GETS, Queues.ROUND_ROBIN),
  WEIGHTS("the same, high beside low, 16:8:1", Load.GETS, Queues.WEIGHTS_16_8_1),
  URGENT("the same, urgent beside low", Load.URGENT_GETS, Queues.WEIGHTS_16_8_1);

  final String label;
  final Load load;
  final Queues queues;

  GetSystem(String label, Load load, Queues queues) {
    this.label = label;
    this.load = load;
    this.queues = queues;
  }
}
