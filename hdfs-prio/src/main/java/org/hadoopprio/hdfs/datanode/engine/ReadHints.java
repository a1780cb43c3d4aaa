// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

/**
 * The hints of one read with a latency target on a volume with duration limits. Used by one thread.
 */
final class ReadHints {

  private final LimitChoice choice;
  private final EngineRead read;
  private final boolean mayRefuse;

  /**
   * Makes the hints of a read.
   *
   * @param choice that of the volume for such reads
   * @param mayRefuse whether the client may go elsewhere when the drive gives up
   */
  ReadHints(LimitChoice choice, EngineRead read, boolean mayRefuse) {
    this.choice = choice;
    this.read = read;
    this.mayRefuse = mayRefuse;
  }

  boolean mayRefuse() {
    return mayRefuse;
  }

  /** The index of the duration limit for a request that is made now; 0 for none. */
  int choose(long now) {
    return choice.choose(read.leftNanos(now));
  }

  /** Notes how long the data took with what was chosen, in nanoseconds. */
  void answered(int index, long nanos) {
    choice.answered(index, nanos);
  }
}
