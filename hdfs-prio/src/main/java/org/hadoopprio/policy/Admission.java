// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/**
 * The priority that one request was granted, and its places in the caps until {@link #release}.
 * Immutable.
 */
public final class Admission {

  private final IoPriority priority;
  private final List<ClassCap> rule;
  private final List<ClassCap> all;
  private final boolean capped;

  /** Those whose rates have counted the request. */
  private final List<ClassCap> counted;

  private Admission(
      IoPriority priority,
      List<ClassCap> rule,
      List<ClassCap> all,
      boolean capped,
      List<ClassCap> counted) {
    this.priority = priority;
    this.rule = rule;
    this.all = all;
    this.capped = capped;
    this.counted = List.copyOf(counted);
  }

  /** Asks a cap for a place, and notes there whether its rate has counted the request. */
  private interface Acquire {
    boolean test(ClassCap cap, List<ClassCap> counted);
  }

  /**
   * Acquires the places that a priority needs. Above a cap of real-time these are the places of
   * be:0, so that who asks for more gets no more; above one of best-effort there is be:7, which
   * needs none. What is not served at a class counts in none of its rates.
   *
   * @param rule the caps of the rule that matched
   * @param all the caps that count all requests
   */
  static Admission of(IoPriority priority, List<ClassCap> rule, List<ClassCap> all) {
    return of(priority, rule, all, ClassCap::tryAcquire);
  }

  private static Admission of(
      IoPriority priority, List<ClassCap> rule, List<ClassCap> all, Acquire acquire) {
    if (rule.isEmpty() && all.isEmpty()) {
      return new Admission(priority, rule, all, false, List.of());
    }
    IoClass asked = priority.ioClass();
    List<ClassCap> counted = new ArrayList<>();
    if (tryAcquire(asked, rule, all, acquire, counted)) {
      return new Admission(priority, rule, all, false, counted);
    }
    if (asked == IoClass.IDLE) {
      return new Admission(IoPriority.IDLE, List.of(), List.of(), true, counted);
    }
    giveBack(counted);
    IoPriority lower = ClassCap.above(asked);
    if (lower.ioClass() != asked && tryAcquire(lower.ioClass(), rule, all, acquire, counted)) {
      return new Admission(lower, rule, all, true, counted);
    }
    giveBack(counted);
    return new Admission(ClassCap.above(lower.ioClass()), List.of(), List.of(), true, counted);
  }

  private static void giveBack(List<ClassCap> counted) {
    counted.forEach(ClassCap::giveTokenBack);
    counted.clear();
  }

  private static boolean tryAcquire(
      IoClass ioClass,
      List<ClassCap> rule,
      List<ClassCap> all,
      Acquire acquire,
      List<ClassCap> counted) {
    if (!tryAcquire(ioClass, rule, acquire, counted)) {
      return false;
    }
    boolean acquired = tryAcquire(ioClass, all, acquire, counted);
    if (!acquired) {
      release(ioClass, rule);
    }
    return acquired;
  }

  /** There is at most one cap for a class in a list. */
  private static boolean tryAcquire(
      IoClass ioClass, List<ClassCap> caps, Acquire acquire, List<ClassCap> counted) {
    for (ClassCap cap : caps) {
      if (cap.ioClass() == ioClass) {
        return acquire.test(cap, counted);
      }
    }
    return true;
  }

  /**
   * Acquires the places once more, for a request that has been counted with this admission and goes
   * on after it has released them. It does not count in the rates again, and is not granted more.
   */
  public Admission again() {
    return of(priority, rule, all, (cap, counted) -> cap.tryEnter());
  }

  private static void release(IoClass ioClass, List<ClassCap> caps) {
    for (ClassCap cap : caps) {
      if (cap.ioClass() == ioClass) {
        cap.release();
      }
    }
  }

  /** The priority to serve the request at; never null. */
  public IoPriority priority() {
    return priority;
  }

  /** Whether a cap was reached and the priority is therefore lower than allowed. */
  public boolean isCapped() {
    return capped;
  }

  /** Whether a rate has counted the request. */
  public boolean isCountedByRate() {
    return !counted.isEmpty();
  }

  /**
   * The request was denied before it read anything, so that no rate counts it. Call this once at
   * most, and not for what {@link #again} has returned; the places are given back with {@link
   * #release}.
   */
  public void giveTokensBack() {
    counted.forEach(ClassCap::giveTokenBack);
  }

  /** Gives the places back; call this once, when the request has been served or has failed. */
  public void release() {
    release(priority.ioClass(), rule);
    release(priority.ioClass(), all);
  }
}
