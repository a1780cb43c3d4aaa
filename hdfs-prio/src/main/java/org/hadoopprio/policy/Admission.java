// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
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

  private Admission(IoPriority priority, List<ClassCap> rule, List<ClassCap> all, boolean capped) {
    this.priority = priority;
    this.rule = rule;
    this.all = all;
    this.capped = capped;
  }

  /**
   * Acquires the places that a priority needs. Above a cap of real-time these are the places of
   * be:0, so that who asks for more gets no more; above one of best-effort there is be:7, which
   * needs none.
   *
   * @param rule the caps of the rule that matched
   * @param all the caps that count all requests
   */
  static Admission of(IoPriority priority, List<ClassCap> rule, List<ClassCap> all) {
    return of(priority, rule, all, ClassCap::tryAcquire);
  }

  private static Admission of(
      IoPriority priority, List<ClassCap> rule, List<ClassCap> all, Predicate<ClassCap> acquire) {
    if (tryAcquire(priority.ioClass(), rule, all, acquire)) {
      return new Admission(priority, rule, all, false);
    }
    IoPriority lower = ClassCap.above(priority.ioClass());
    if (lower.ioClass() != priority.ioClass() && tryAcquire(lower.ioClass(), rule, all, acquire)) {
      return new Admission(lower, rule, all, true);
    }
    return new Admission(ClassCap.above(lower.ioClass()), List.of(), List.of(), true);
  }

  private static boolean tryAcquire(
      IoClass ioClass, List<ClassCap> rule, List<ClassCap> all, Predicate<ClassCap> acquire) {
    if (!tryAcquire(ioClass, rule, acquire)) {
      return false;
    }
    boolean acquired = tryAcquire(ioClass, all, acquire);
    if (!acquired) {
      release(ioClass, rule);
    }
    return acquired;
  }

  /** There is at most one cap for a class in a list. */
  private static boolean tryAcquire(
      IoClass ioClass, List<ClassCap> caps, Predicate<ClassCap> acquire) {
    for (ClassCap cap : caps) {
      if (cap.ioClass() == ioClass) {
        return acquire.test(cap);
      }
    }
    return true;
  }

  /**
   * Acquires the places once more, for a request that has been counted with this admission and goes
   * on after it has released them. It does not count in the rates again, and is not granted more.
   */
  public Admission again() {
    return of(priority, rule, all, ClassCap::tryEnter);
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
    return rates().findAny().isPresent();
  }

  /**
   * The request was denied before it read anything, so that no rate counts it. Call this once at
   * most, and not for what {@link #again} has returned; the places are given back with {@link
   * #release}.
   */
  public void giveTokensBack() {
    rates().forEach(ClassCap::giveTokenBack);
  }

  private Stream<ClassCap> rates() {
    return Stream.concat(rule.stream(), all.stream())
        .filter(cap -> cap.hasRate() && cap.ioClass() == priority.ioClass());
  }

  /** Gives the places back; call this once, when the request has been served or has failed. */
  public void release() {
    release(priority.ioClass(), rule);
    release(priority.ioClass(), all);
  }
}
