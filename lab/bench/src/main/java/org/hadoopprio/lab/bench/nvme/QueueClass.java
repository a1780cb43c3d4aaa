// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

/** The class of a submission queue (QPRIO of the command that creates it). */
enum QueueClass {
  URGENT,
  HIGH,
  MEDIUM,
  LOW
}
