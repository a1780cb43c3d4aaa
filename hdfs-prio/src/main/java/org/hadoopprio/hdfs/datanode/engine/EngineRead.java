package org.hadoopprio.hdfs.datanode.engine;

import java.util.concurrent.TimeUnit;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;

/** A client's read that its thread is serving, as far as it concerns the engines. Immutable. */
final class EngineRead {

  /**
   * Targets have no effect on longer reads (docs/targets.md); with the room for an offset that is
   * not aligned this is one piece of {@link EngineFile}.
   */
  private static final long SHORT_BYTES = ReadBuffers.BYTES;

  private final DataNodeEngines engines;
  private final IoPriority priority;
  private final long deadline;
  private final int following;

  /**
   * A read that has been admitted.
   *
   * @param following how many reads are expected to follow within its latency target
   * @param now when the target begins to count, in nanoseconds as of {@link System#nanoTime}
   */
  EngineRead(DataNodeEngines engines, IoPriority priority, int following, long now) {
    this.engines = engines;
    this.priority = priority;
    this.deadline = now + TimeUnit.MILLISECONDS.toNanos(priority.targetMillis());
    this.following = following;
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

  /** What is left of the latency target for this read, in nanoseconds; negative if it is over. */
  long leftNanos(long now) {
    return (deadline - now) / (following + 1);
  }
}
