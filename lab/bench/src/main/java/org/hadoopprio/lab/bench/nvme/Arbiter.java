// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

/** Chooses the submission queue from which a drive takes its next command. */
interface Arbiter {

  /** The next command, taken from its queue; null if all queues are empty. */
  Command next();
}
