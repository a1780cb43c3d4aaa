// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.trace;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hadoopprio.IoPriority;
import org.hadoopprio.tools.trace.BlockTraceEvent;

/** How many requests and bytes a device was asked for, by priority. Immutable. */
public final class BlockTraceSummary {

  /** Requests and their bytes. Immutable. */
  public static final class Count {

    private static final Count ZERO = new Count(0, 0, Set.of());

    private final long requests;
    private final long bytes;
    private final Set<String> threads;

    private Count(long requests, long bytes, Set<String> threads) {
      this.requests = requests;
      this.bytes = bytes;
      this.threads = threads;
    }

    private Count plus(Count other) {
      Set<String> both = new TreeSet<>(threads);
      both.addAll(other.threads);
      return new Count(requests + other.requests, bytes + other.bytes, both);
    }

    /** How many requests. */
    public long requests() {
      return requests;
    }

    /** Their total length in bytes. */
    public long bytes() {
      return bytes;
    }

    /** With the names of the threads that ran as they were issued, which may be kernel workers. */
    @Override
    public String toString() {
      return requests + " requests, " + bytes + " bytes in " + threads;
    }
  }

  /** Adds events up; not safe for use by several threads at once. */
  static final class Collector {

    private final Map<String, Count> reads = new TreeMap<>();
    private final Map<String, Count> writes = new TreeMap<>();

    void add(BlockTraceEvent event) {
      if (event.isRead()) {
        add(reads, event);
      } else if (event.isWrite()) {
        add(writes, event);
      }
    }

    private static void add(Map<String, Count> counts, BlockTraceEvent event) {
      counts.merge(
          event.priority().orElse("?"),
          new Count(1, event.bytes(), Set.of(event.comm())),
          Count::plus);
    }

    BlockTraceSummary summary(long lostEvents) {
      return new BlockTraceSummary(new TreeMap<>(reads), new TreeMap<>(writes), lostEvents);
    }
  }

  private final Map<String, Count> reads;
  private final Map<String, Count> writes;
  private final long lostEvents;

  private BlockTraceSummary(Map<String, Count> reads, Map<String, Count> writes, long lostEvents) {
    this.reads = Collections.unmodifiableMap(reads);
    this.writes = Collections.unmodifiableMap(writes);
    this.lostEvents = lostEvents;
  }

  /**
   * A priority as the block layer prints it: class, hint, level. A request for which no priority
   * was set is best-effort 4 there.
   */
  public static String kernelText(IoPriority priority) {
    return priority.isNone()
        ? "be,0," + IoPriority.DEFAULT_LEVEL
        : priority.ioClass().shortName() + ",0," + priority.level();
  }

  /** The reads, by priority as the kernel prints it ({@code rt,0,3}). */
  public Map<String, Count> reads() {
    return reads;
  }

  /** The writes, by priority as the kernel prints it. */
  public Map<String, Count> writes() {
    return writes;
  }

  /** The reads at one priority; in a class without levels those at any level the kernel shows. */
  public Count reads(IoPriority priority) {
    return at(priority, reads);
  }

  /** The writes at one priority, like {@link #reads(IoPriority)}. */
  public Count writes(IoPriority priority) {
    return at(priority, writes);
  }

  private static Count at(IoPriority priority, Map<String, Count> counts) {
    if (priority.isNone() || priority.ioClass().hasLevels()) {
      return counts.getOrDefault(kernelText(priority), Count.ZERO);
    }
    // ionice(1) sets idle with level 7, others with 0; the kernel prints it and does not heed it.
    String prefix = priority.ioClass().shortName() + ",0,";
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .map(Map.Entry::getValue)
        .reduce(Count.ZERO, Count::plus);
  }

  /** All reads. */
  public Count allReads() {
    return reads.values().stream().reduce(Count.ZERO, Count::plus);
  }

  /** All writes. */
  public Count allWrites() {
    return writes.values().stream().reduce(Count.ZERO, Count::plus);
  }

  /** Which part of the bytes read was read at one priority, 0 to 1; 0 where nothing was read. */
  public double shareOfReadBytes(IoPriority priority) {
    long all = allReads().bytes();
    return all == 0 ? 0 : (double) reads(priority).bytes() / all;
  }

  /** Events the kernel had no room for; where this is not 0 the counts are too low. */
  public long lostEvents() {
    return lostEvents;
  }

  @Override
  public String toString() {
    return "reads " + reads + ", writes " + writes + ", lost events " + lostEvents;
  }
}
