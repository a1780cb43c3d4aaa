// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/**
 * Who wants the disk besides real-time: reads of other classes, and requests that do not come from
 * here. Guarded by the lock, but for what is said to be. Times are nanoseconds of one monotonic
 * clock.
 */
final class Others {

  /** How long requests that do not come from here count after they were seen. */
  private static final long SEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Turns turns;
  private final FileUsers fileUsers;
  private final DeviceQueue device;

  /** When such requests were last seen; also read without the lock. */
  private volatile long seenAt;

  Others(Turns turns, FileUsers fileUsers, DeviceQueue device, long now) {
    this.turns = turns;
    this.fileUsers = fileUsers;
    this.device = device;
    this.seenAt = now - TimeUnit.MINUTES.toNanos(1);
  }

  /** Whether they want the disk, as far as is known. */
  boolean want(long now) {
    return turns.ableToGo() > 0
        || now - turns.in().usedUntil(now) <= RealtimeReads.CONTENDED_NANOS
        || now - seenAt <= SEEN_NANOS
        || fileUsers.want(now);
  }

  /** Finds out whether there are requests that do not come from here. */
  void look(int realtimeParts, long now) {
    if (device.hasOthers(realtimeParts)) {
      seenAt = now;
    }
  }

  /** When requests that do not come from here were last seen. Read without the lock, too. */
  long seenAt() {
    return seenAt;
  }

  /** What one request of a sequential reader would take without priorities. */
  double sequentialNanos() {
    return DiskCosts.requestNanos(RealtimeShare.sequentialBytes(device.readAheadBytes()));
  }

  /** What one request of each of those from here would take without priorities. */
  double demandNanos() {
    return demandNanos(turns.shorts(), turns.size() - turns.shorts());
  }

  /** The same of some readers. */
  double demandNanos(int random, int sequential) {
    double randomNanos = DiskCosts.requestNanos(RealtimeShare.RANDOM_BYTES);
    return random * randomNanos + sequential * sequentialNanos();
  }
}
