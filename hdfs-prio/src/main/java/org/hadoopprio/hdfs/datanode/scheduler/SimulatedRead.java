// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

/** A read in a {@link DiskSimulation}, from when it asks to its last byte. */
final class SimulatedRead implements Comparable<SimulatedRead> {

  final DiskSimulation.Reader reader;

  /** When it asks. */
  final long due;

  /** When the call came that it is for: its latency counts from then. */
  final long since;

  final Ticket ticket;

  /** Where it reads, in bytes. */
  long place;

  /** How many reads of the disk it needs before its data, to open its files. */
  int opens;

  /** How many reads of its call follow it. */
  int following;

  SimulatedRead(DiskSimulation.Reader reader, long due, long since, Ticket ticket) {
    this.reader = reader;
    this.due = due;
    this.since = since;
    this.ticket = ticket;
  }

  /** Whether it follows another one of its call. */
  boolean isSecond() {
    return due > since;
  }

  @Override
  public int compareTo(SimulatedRead other) {
    return Long.compare(due, other.due);
  }
}
