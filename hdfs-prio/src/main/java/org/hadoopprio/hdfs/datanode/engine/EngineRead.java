// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.util.concurrent.TimeUnit;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.wire.Hint;

/** A client's read that its thread is serving, as far as it concerns the engines. Immutable. */
public final class EngineRead {

  /**
   * Targets have no effect on longer reads (docs/targets.md); with the room for an offset that is
   * not aligned this is one piece of {@link EngineFile}.
   */
  private static final long SHORT_BYTES = ReadBuffers.BYTES;

  private final DataNodeEngines engines;
  private final IoPriority priority;
  private final long deadline;
  private final Hint stated;

  /**
   * A read that has been admitted.
   *
   * @param stated what the client says of it
   * @param now when the target begins to count, in nanoseconds as of {@link System#nanoTime}
   */
  EngineRead(DataNodeEngines engines, IoPriority priority, Hint stated, long now) {
    this.engines = engines;
    this.priority = priority;
    this.deadline = now + TimeUnit.MILLISECONDS.toNanos(priority.targetMillis());
    this.stated = stated;
  }

  DataNodeEngines engines() {
    return engines;
  }

  boolean isRealtime() {
    return priority.ioClass() == IoClass.REALTIME;
  }

  /** Whether a latency target counts for so many bytes. */
  boolean hasTarget(long bytes) {
    return priority.hasTarget() && bytes <= SHORT_BYTES;
  }

  /** Whether the client can go to another replica if it would miss its latency target. */
  boolean mayRefuse() {
    return stated.mayRefuse();
  }

  /** What is left of the latency target for this read, in nanoseconds; negative if it is over. */
  long leftNanos(long now) {
    return (deadline - now) / (stated.following() + 1);
  }
}
