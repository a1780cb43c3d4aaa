package org.hadoopprio.policy;

import java.util.List;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/**
 * What one request was given: its priority, and a place in the caps until {@link #end}. Immutable.
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
   * Takes the places a priority needs.
   *
   * @param rule the caps of the rule that decided
   * @param all the caps that count everybody
   */
  static Admission of(IoPriority priority, List<ClassCap> rule, List<ClassCap> all) {
    IoClass ioClass = priority.ioClass();
    if (!enter(ioClass, rule)) {
      return new Admission(ClassCap.above(ioClass), List.of(), List.of(), true);
    }
    if (!enter(ioClass, all)) {
      leave(ioClass, rule);
      return new Admission(ClassCap.above(ioClass), List.of(), List.of(), true);
    }
    return new Admission(priority, rule, all, false);
  }

  /** There is at most one cap for a class in a list. */
  private static boolean enter(IoClass ioClass, List<ClassCap> caps) {
    for (ClassCap cap : caps) {
      if (cap.ioClass() == ioClass) {
        return cap.enter();
      }
    }
    return true;
  }

  private static void leave(IoClass ioClass, List<ClassCap> caps) {
    for (ClassCap cap : caps) {
      if (cap.ioClass() == ioClass) {
        cap.leave();
      }
    }
  }

  /** The priority to serve the request at; never null. */
  public IoPriority priority() {
    return priority;
  }

  /** Whether a cap was reached, so that the priority is lower than allowed. */
  public boolean isCapped() {
    return capped;
  }

  /** The request has been served, however; once. */
  public void end() {
    leave(priority.ioClass(), rule);
    leave(priority.ioClass(), all);
  }
}
