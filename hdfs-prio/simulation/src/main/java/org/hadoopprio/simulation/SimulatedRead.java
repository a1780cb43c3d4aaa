// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import org.hadoopprio.disktime.Claim;

/** A read in a {@link DiskSimulation}, from when it asks to its last byte. */
final class SimulatedRead implements Comparable<SimulatedRead> {

  final Reader reader;

  /** When it asks. */
  final long due;

  /** When the call came that it is for: its latency counts from then. */
  final long since;

  final Claim claim;

  /** How many reads of its call follow it. */
  final int following;

  /** Where it reads, in bytes. */
  long place;

  /** How many reads of the disk it needs before its data, to open its files. */
  int opens;

  SimulatedRead(Reader reader, long due, long since, Claim claim, int following) {
    this.reader = reader;
    this.due = due;
    this.since = since;
    this.claim = claim;
    this.following = following;
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
