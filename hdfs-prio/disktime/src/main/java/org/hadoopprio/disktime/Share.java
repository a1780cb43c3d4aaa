// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * A share of a disk's time, and those that share it further: start-time fair queueing (P. Goyal, H.
 * Vin, H. Cheng, SIGCOMM 1996) of disk time at each level of the tree ({@link Shares}), whose
 * leaves are streams. Guarded by the lock. Times are nanoseconds.
 */
class Share {

  /** What it is a part of; null for the whole disk, and for a stream that has never waited. */
  Share whole;

  /** The disk time that it has used, divided by its portion. */
  double virtualTime;

  /** The disk time that it has used. */
  private long usedNanos;

  private final DoubleSupplier portion;

  /** Those that it consists of; of streams only those that wait, in the order of their coming. */
  private final Set<Share> parts = new LinkedHashSet<>();

  /** The virtual time of whoever comes now. */
  private double now;

  /** What is known when one of all that wait is chosen. */
  static final class Choice {
    final long now;

    /** Who has waited since before this time goes first, whatever its portion. */
    final long old;

    /** The length of a turn. */
    final long turnNanos;

    /** Where the disk was last seen to read ({@link Claim#setPlace}). */
    final long arm;

    /** What the tenant has of the disk, 0 to 1. */
    final double part;

    Choice(long now, long old, long turnNanos, long arm, double part) {
      this.now = now;
      this.old = old;
      this.turnNanos = turnNanos;
      this.arm = arm;
      this.part = part;
    }
  }

  /**
   * A share that has used nothing.
   *
   * @param whole null for that of all
   * @param portion of what is shared, in proportion to the others'
   */
  Share(Share whole, DoubleSupplier portion) {
    this.whole = whole;
    this.portion = portion;
    if (whole != null) {
      whole.parts.add(this);
    }
  }

  double portion() {
    return portion.getAsDouble();
  }

  /** Whether a stream of it waits. */
  boolean waits() {
    return first() != null;
  }

  private Share first() {
    for (Share each : parts) {
      if (each.waits()) {
        return each;
      }
    }
    return null;
  }

  /** When the stream that has waited longest asked; there must be one. */
  long askedAt() {
    return first().askedAt();
  }

  /** What decides which of several old ones goes first. */
  long waitsSince() {
    return askedAt();
  }

  /** Whether it goes first, whatever its portion. */
  boolean isOld(Choice at) {
    return askedAt() < at.old;
  }

  /** Of the streams that wait; 0 if none does. */
  double greatestWeight() {
    double greatest = 0;
    for (Share each : parts) {
      greatest = Math.max(greatest, each.greatestWeight());
    }
    return greatest;
  }

  /** Whether it has used less for its portion than another one. */
  boolean isBehind(Share other) {
    return virtualTime < other.virtualTime;
  }

  /**
   * A part of it begins to wait. It gets no credit for the time in which it did not.
   *
   * @param credit but for that much
   */
  void comes(Share part, double credit) {
    if (whole != null && !waits()) {
      whole.comes(this, credit());
    }
    part.virtualTime = Math.max(part.virtualTime, now - credit);
    parts.add(part);
  }

  /** What it has when it comes again; virtual time. */
  double credit() {
    return 0;
  }

  /** A stream of it waits no more. */
  void leaves(Stream part) {
    parts.remove(part);
  }

  /** A part of it uses the disk from now on. */
  void begins(Share part) {
    now = Math.max(now, part.virtualTime);
  }

  /** Charges disk time, to it and all that it is a part of. */
  final void charge(long nanos, double ofPortion) {
    virtualTime += nanos / ofPortion;
    usedNanos += nanos;
    if (whole != null) {
      whole.charge(nanos, whole.portion());
    }
  }

  /** The disk time that it has used. */
  final long usedNanos() {
    return usedNanos;
  }

  /** Takes out the stream that goes next; one must wait. */
  Stream take(Choice at) {
    return choose(at).take(at);
  }

  /**
   * The part whose turn costs least, or the first of the old ones. What counts, in disk time, is
   * what it has used more than the one that has used least, and what else it {@linkplain #cost
   * costs}. Of equal ones it is the first.
   */
  private Share choose(Choice at) {
    Share least = null;
    double portions = 0;
    double most = 0;
    long farthest = 1;
    for (Share each : parts) {
      if (each.waits()) {
        least = least == null || each.isBehind(least) ? each : least;
        portions += each.portion();
        most = Math.max(most, each.portion());
        farthest = Math.max(farthest, each.distance(at.arm, 1));
      }
    }
    Share old = null;
    Share cheapest = null;
    double lowest = Double.POSITIVE_INFINITY;
    for (Share each : parts) {
      if (each.waits()) {
        boolean older = old == null || each.waitsSince() < old.waitsSince();
        old = older && each.isOld(at) ? each : old;
        double used = (each.virtualTime - least.virtualTime) * most;
        double cost = each.cost(used, at, farthest, portions);
        cheapest = cost < lowest ? each : cheapest;
        lowest = Math.min(cost, lowest);
      }
    }
    begins(least);
    return old == null ? cheapest : old;
  }

  /** How far the arm has to go for it; what is shared further is everywhere. */
  long distance(long arm, long unknown) {
    return 0;
  }

  /**
   * What its turn costs.
   *
   * @param used what it has used more than others
   * @param farthest the greatest distance of any
   * @param portions of all that wait
   */
  double cost(double used, Choice at, long farthest, double portions) {
    return used;
  }
}
