// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

/** What is wrong with one of the disks. */
enum Fault {
  /** Nothing. */
  NONE("150us"),
  /** Each command takes 0.3 s before it begins. */
  SLOW("300ms"),
  /** No command is answered. */
  HUNG("3600s");

  private final String overhead;

  Fault(String overhead) {
    this.overhead = overhead;
  }

  /** The value of vhdd's {@code overhead_ns}. */
  String overhead() {
    return overhead;
  }
}
