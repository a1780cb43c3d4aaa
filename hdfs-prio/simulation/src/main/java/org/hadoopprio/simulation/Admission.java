// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.disktime.DiskSettings;

/** Which reads of a {@link DiskSimulation} go to the disk: those that its {@link Disk} lets. */
final class Admission implements DeviceQueue {

  final DiskCounters counters = new DiskCounters();
  final Disk scheduler;

  private final boolean scheduled;
  private final Map<Claim, SimulatedRead> waiting = new HashMap<>();
  private final List<Claim> granted = new ArrayList<>();

  /** What the kernel of the simulated machine reads ahead. */
  long readAhead = DeviceQueue.USUAL_READ_AHEAD_BYTES;

  /**
   * Lets reads to a disk.
   *
   * @param scheduled false for all of them at once
   */
  Admission(DiskSettings settings, boolean scheduled) {
    this.scheduled = scheduled;
    this.scheduler = new Disk(settings, 1, 0, counters, granted::add, this);
  }

  @Override
  public boolean hasOthers(int realtimeParts) {
    return false;
  }

  @Override
  public long readAheadBytes() {
    return readAhead;
  }

  private boolean passes(Reader reader) {
    return scheduled && !reader.isOutside();
  }

  int waiting() {
    return waiting.size();
  }

  /** When {@link #poll} is needed at the latest. */
  long due(long now) {
    return scheduled && scheduler.isAnyWaiting() ? now + scheduler.untilDue(now) : Long.MAX_VALUE;
  }

  /**
   * A read asks for the disk.
   *
   * @return whether it need not wait
   */
  boolean ask(SimulatedRead read, long now) {
    Reader reader = read.reader;
    if (!passes(reader)) {
      return true;
    }
    Claim claim = read.claim;
    waiting.put(claim, read);
    claim.setPlace(read.place);
    if (!reader.isRealtime()) {
      scheduler.ask(claim, now);
    } else if (scheduler.askRealtime(claim, !reader.isSequential(), now)) {
      granted.add(claim);
    }
    return false;
  }

  /** Lets go who may by now. */
  void poll(long now, Consumer<SimulatedRead> send) {
    if (scheduled) {
      scheduler.poll(now);
    }
    for (Claim claim : granted) {
      // One that was held may be granted while it asks, and so be in the list twice.
      SimulatedRead read = waiting.remove(claim);
      if (read != null) {
        if (read.opens == 0) {
          opened(read, now);
        }
        send.accept(read);
      }
    }
    granted.clear();
  }

  /** The files of a read are open. */
  void opened(SimulatedRead read, long now) {
    if (passes(read.reader) && read.reader.isRealtime() && !read.reader.isSequential()) {
      scheduler.opened(read.claim, now);
    }
  }

  /** A read has its data. */
  void done(SimulatedRead read, long now) {
    Reader reader = read.reader;
    if (!passes(reader)) {
      return;
    }
    read.claim.readFromDisk(reader.requestBytes());
    if (!reader.isRealtime()) {
      scheduler.done(read.claim, now);
    } else if (reader.isSequential()) {
      scheduler.sends(read.claim, now);
    } else {
      scheduler.realtimeDone(read.claim, now);
    }
  }
}
