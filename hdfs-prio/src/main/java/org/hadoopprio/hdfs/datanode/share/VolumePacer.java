package org.hadoopprio.hdfs.datanode.share;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * The packets that are being read from one volume, and the real-time reads that wait at its {@link
 * DiskTimeGate}. Thread-safe.
 */
final class VolumePacer {

  /**
   * A read that takes less came from memory, because a random read of a rotating disk takes several
   * milliseconds.
   */
  static final long DISK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * How long lower classes still count as waiting after the last request: a single reader has no
   * request outstanding for a moment between two requests.
   */
  static final long LOWER_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /** The interval at which waiting threads check whether lower classes still wait. */
  private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(VolumePacer.class));

  private final String volume;
  private final RealtimeShare settings;
  private final LongSupplier clock;
  private final DiskTimeGate gate;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();

  /** Signals the one waiting thread that watches the clock for all others. */
  private final Condition due = lock.newCondition();

  private boolean watched;

  /** The packets of lower classes at the disk, oldest first. */
  private final Set<PacketRead> lower = new LinkedHashSet<>();

  private long lowerWaitedAt;

  /**
   * Makes the pacer of a volume.
   *
   * @param volume the name of the volume, for the log
   * @param clock monotonic, in nanoseconds
   */
  VolumePacer(String volume, RealtimeShare settings, LongSupplier clock) {
    this.volume = volume;
    this.settings = settings;
    this.clock = clock;
    long now = clock.getAsLong();
    this.gate = new DiskTimeGate(settings.share(), now);
    this.lowerWaitedAt = now - LOWER_GRACE_NANOS - 1;
  }

  RealtimeShare settings() {
    return settings;
  }

  /** A packet goes to the disk without waiting. */
  void enter(PacketRead packet) {
    lock.lock();
    try {
      admitted(packet);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The first packet of a real-time read's turn goes to the disk, after a pause if one is due. An
   * interrupt ends the pause and stays set.
   */
  void enterTurn(PacketRead packet) {
    if (enterAfterPause(packet)) {
      logExcess();
    }
  }

  private boolean enterAfterPause(PacketRead packet) {
    lock.lock();
    try {
      long arrived = clock.getAsLong();
      gate.setShare(settings.share(), arrived);
      long arrival = gate.arrive(arrived, lowerClassesWait(arrived));
      if (arrival != DiskTimeGate.ADMITTED) {
        pace(arrival, arrived);
      }
      admitted(packet);
      return arrival != DiskTimeGate.ADMITTED;
    } finally {
      lock.unlock();
    }
  }

  /** A packet has left the disk: it has been sent, or its thread waits for something else. */
  void leave(PacketRead packet) {
    lock.lock();
    try {
      long now = clock.getAsLong();
      boolean usedDisk = now - packet.enteredAt >= DISK_NANOS;
      if (packet.realtime) {
        gate.leave(packet.enteredAt, now, usedDisk);
        due.signal();
      } else {
        lower.remove(packet);
        if (usedDisk) {
          gate.completed(now);
        }
        if (usedDisk && !packet.demoted) {
          lowerWaitedAt = now;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether real-time has used more than its share while lower classes wait. */
  boolean isExcess() {
    lock.lock();
    try {
      long now = clock.getAsLong();
      gate.setShare(settings.share(), now);
      return gate.isOverdrawn(now) && lowerClassesWait(now);
    } finally {
      lock.unlock();
    }
  }

  /** Whether lower classes' reads wait for the disk. */
  boolean lowerClassesWait() {
    lock.lock();
    try {
      return lowerClassesWait(clock.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** Logs that real-time has used more than its share. */
  void logExcess() {
    LOG.warn(
        "Real-time reads of volume "
            + volume
            + " have used more than their share of "
            + settings.share()
            + " of its time while other reads waited; excess: "
            + settings.excess());
  }

  private void admitted(PacketRead packet) {
    packet.enteredAt = clock.getAsLong();
    if (packet.realtime) {
      gate.enter();
    } else if (!packet.demoted) {
      lower.add(packet);
    }
  }

  private void pace(long arrival, long arrived) {
    try {
      awaitOpening(arrival);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // If this thread watched the clock, another thread must take over.
    opened.signal();
    PriorityMetrics.REALTIME_PACED.increment();
    PriorityMetrics.REALTIME_PACED_NANOS.add(clock.getAsLong() - arrived);
  }

  private void awaitOpening(long arrival) throws InterruptedException {
    while (!gate.hasOpenedSince(arrival)) {
      long now = clock.getAsLong();
      if (gate.openIfDue(now, lowerClassesWait(now))) {
        opened.signalAll();
        due.signal();
      } else if (watched) {
        opened.await();
      } else {
        watched = true;
        try {
          due.awaitNanos(Math.min(gate.untilDue(now), WATCH_NANOS));
        } finally {
          watched = false;
        }
      }
    }
  }

  private boolean lowerClassesWait(long now) {
    Iterator<PacketRead> oldestFirst = lower.iterator();
    if (oldestFirst.hasNext() && now - oldestFirst.next().enteredAt >= DISK_NANOS) {
      lowerWaitedAt = now;
    }
    return now - lowerWaitedAt <= LOWER_GRACE_NANOS;
  }
}
