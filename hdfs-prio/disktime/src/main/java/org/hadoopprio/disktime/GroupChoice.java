// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * Which class of streams has the next turn, best-effort or idle: each has its share of disk time
 * while both wait, and what has waited for too long goes first. Guarded by the lock. Times are
 * nanoseconds.
 *
 * <p>A turn of old idle streams is paid for: the next one does not come before best-effort has had
 * its part. Otherwise so many idle streams that all of them get old would take every turn.
 */
final class GroupChoice {

  /** What old idle streams may have of the disk, in shares of idle. */
  private static final double OLD_SHARES = 2;

  /** What they may have however small the share is, so that the next one comes within seconds. */
  private static final double LEAST_PART = 0.01;

  private final StreamGroup bestEffort;
  private final StreamGroup idle;

  /** What best-effort had used when idle was chosen last. */
  private long bestEffortBefore;

  /** The same for idle. */
  private long idleBefore;

  GroupChoice(StreamGroup bestEffort, StreamGroup idle) {
    this.bestEffort = bestEffort;
    this.idle = idle;
  }

  /**
   * Chooses one of the groups, of which at least one must have streams that wait.
   *
   * @param old what has waited since before this time goes first
   * @param idleShare of disk time, from 0 to 1
   * @param bestEffortNanos the disk time that best-effort has used so far, short reads included
   * @param idleNanos the disk time that idle has used so far
   */
  StreamGroup next(long old, double idleShare, long bestEffortNanos, long idleNanos) {
    double part = Math.max(OLD_SHARES * idleShare, LEAST_PART);
    boolean paid =
        (bestEffortNanos - bestEffortBefore) * part > (idleNanos - idleBefore) * (1 - part);
    StreamGroup chosen = choose(old, paid);
    if (chosen == idle) {
      bestEffortBefore = bestEffortNanos;
      idleBefore = idleNanos;
    }
    return chosen;
  }

  private StreamGroup choose(long old, boolean paid) {
    if (bestEffort.isEmpty() || idle.isEmpty()) {
      return bestEffort.isEmpty() ? idle : bestEffort;
    }
    if (paid && idle.eldest() < old && idle.eldest() < bestEffort.eldest()) {
      return idle;
    }
    if (bestEffort.eldest() < old) {
      return bestEffort;
    }
    return idle.virtualTime < bestEffort.virtualTime ? idle : bestEffort;
  }
}
