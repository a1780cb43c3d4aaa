// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

/** Who is to order the requests of a volume, or of all volumes of a disk. */
public enum DiskOrder {
  /** The DataNode, in mode turns; the kernel is a second line. */
  DATANODE(
      "reads and writes of the DataNode and of its short-circuit clients with the agent take turns"
          + " all the same, other processes are not ordered"),

  /** Nobody at present: in mode observe or off all is as with stock Hadoop. */
  NOBODY(
      "in mode observe or off nothing needs it, and mode turns orders the DataNode's reads and"
          + " writes without it"),

  /** The kernel alone, in mode order; or the mode is not known. */
  KERNEL("");

  private final String without;

  DiskOrder(String without) {
    this.without = without;
  }

  /** What is to say where the kernel orders nothing; empty if priorities have no effect then. */
  String withoutKernel() {
    return without;
  }

  /** Of a disk with volumes of both: the one that depends more on the kernel. */
  DiskOrder and(DiskOrder other) {
    return compareTo(other) < 0 ? other : this;
  }
}
