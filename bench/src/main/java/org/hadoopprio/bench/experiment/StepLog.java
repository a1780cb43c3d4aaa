package org.hadoopprio.bench.experiment;

/** Where a running experiment tells people how far it is. */
public interface StepLog {

  /** Says what is being done now. */
  void say(String message);

  /**
   * Says how far the present step is; shown now and then only.
   *
   * @param fraction 0 to 1
   * @param detail what is done, such as {@code 120 of 400 MB}
   */
  void at(double fraction, String detail);
}
