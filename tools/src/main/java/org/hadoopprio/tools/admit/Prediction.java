// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.admit;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerLimits;
import org.hadoopprio.simulation.DiskModel;
import org.hadoopprio.simulation.DiskSimulation;
import org.hadoopprio.simulation.ShortReader;
import org.hadoopprio.simulation.StreamReader;

/**
 * What a load gets of a volume in mode {@code turns}: the DataNode's own scheduler, run with the
 * load on a disk in virtual time. Immutable.
 */
public final class Prediction {

  /** So many reads of each class show their 99th percentile. */
  private static final double ENOUGH_READS = 5_000;

  private static final int MIN_SECONDS = 300;
  private static final int MAX_SECONDS = 10_000;

  private final int seconds;
  private final boolean overloaded;
  private final List<Reads> reads = new ArrayList<>();
  private final List<Streams> streams = new ArrayList<>();

  /** A load: what arrives at a volume. Not thread-safe. */
  public static final class Load {
    private final Map<IoPriority, Double> reads = new LinkedHashMap<>();
    private final Map<IoPriority, Integer> streams = new LinkedHashMap<>();
    private double cached;
    private double twice;
    private double mayBeLate = 0.01;

    /**
     * Adds short reads that arrive at random times.
     *
     * @return false if there are some of that priority already
     */
    public boolean addReads(IoPriority priority, double perSecond) {
      return reads.putIfAbsent(priority, perSecond) == null;
    }

    /**
     * Adds readers that read sequentially without end; their priority must not be real-time.
     *
     * @return false if there are some of that priority already
     */
    public boolean addStreams(IoPriority priority, int count) {
      return streams.putIfAbsent(priority, count) == null;
    }

    /** Sets the part of the short reads that is answered from the page cache, 0 to 1. */
    void setCached(double part) {
      cached = part;
    }

    /**
     * Sets the part of the short reads that need a second read of the disk when the client has the
     * first one, 0 to 1: their latency is that of both.
     */
    public void setTwice(double part) {
      twice = part;
    }

    /** Sets the part of the reads of a class that may miss its target, 0 to 1; by default 0.01. */
    void setMayBeLate(double part) {
      mayBeLate = part;
    }

    boolean isEmpty() {
      return reads.isEmpty() && streams.isEmpty();
    }

    boolean hasStreams() {
      return !streams.isEmpty();
    }
  }

  /** The short reads of one priority. Immutable. */
  public static final class Reads {
    private final IoPriority stated;
    private final ShortReader reader;
    private final double perSecond;
    private final double mayBeLate;

    private Reads(IoPriority stated, ShortReader reader, double perSecond, double mayBeLate) {
      this.stated = stated;
      this.reader = reader;
      this.perSecond = perSecond;
      this.mayBeLate = mayBeLate;
    }

    IoPriority stated() {
      return stated;
    }

    /** The priority. */
    @JsonProperty
    String priority() {
      return stated().toString();
    }

    /** How many arrive in a second. */
    @JsonProperty
    double perSecond() {
      return perSecond;
    }

    /** How many the figures are from. */
    @JsonProperty
    int answered() {
      return reader.answered();
    }

    /**
     * The median of the time from arrival to end, in milliseconds; NaN if no read was answered, as
     * it can happen under overload.
     */
    double p50Millis() {
      return reader.millis(0.5);
    }

    /** The same as the 95th percentile. */
    double p95Millis() {
      return reader.millis(0.95);
    }

    @JsonProperty("p50Millis")
    Double p50OrNull() {
      return orNull(p50Millis());
    }

    @JsonProperty("p95Millis")
    Double p95OrNull() {
      return orNull(p95Millis());
    }

    @JsonProperty("p99Millis")
    Double p99OrNull() {
      return orNull(p99Millis());
    }

    /** JSON has no NaN. */
    private static Double orNull(double millis) {
      return Double.isNaN(millis) ? null : millis;
    }

    /** The same as the 99th percentile. */
    public double p99Millis() {
      return reader.millis(0.99);
    }

    /** The latency target in milliseconds; 0 if there is none. */
    @JsonProperty
    int targetMillis() {
      return stated().targetMillis();
    }

    /** The part of the reads that miss the target, in percent; 0 without one. */
    @JsonProperty
    double latePercent() {
      return 100 * reader.latePart();
    }

    /** Whether no more reads miss the target than may; true without one. */
    @JsonProperty
    boolean withinTarget() {
      return reader.latePart() <= mayBeLate;
    }
  }

  /** The streams of one priority. Immutable. */
  static final class Streams {
    private final IoPriority priority;
    private final List<StreamReader> readers;

    private Streams(IoPriority priority, List<StreamReader> readers) {
      this.priority = priority;
      this.readers = readers;
    }

    /** The priority. */
    @JsonProperty
    String priority() {
      return priority.toString();
    }

    @JsonProperty
    int count() {
      return readers.size();
    }

    /** What all of them read together, in MB/s. */
    @JsonProperty
    double megabytesPerSecond() {
      return readers.stream().mapToDouble(StreamReader::megabytesPerSecond).sum();
    }
  }

  /** Predicts what a load gets. */
  public Prediction(SchedulerLimits limits, DiskModel disk, Load load) {
    DiskSimulation simulation = new DiskSimulation(limits.disk(), disk);
    load.reads.forEach(
        (priority, perSecond) ->
            reads.add(
                new Reads(
                    priority,
                    simulation
                        .open(
                            SchedulerLimits.diskClass(priority), limits.weight(priority), perSecond)
                        .within(priority.targetMillis())
                        .cached(load.cached)
                        .twice(load.twice),
                    perSecond,
                    load.mayBeLate)));
    load.streams.forEach(
        (priority, count) -> {
          List<StreamReader> readers = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            readers.add(
                simulation.stream(SchedulerLimits.diskClass(priority), limits.weight(priority)));
          }
          streams.add(new Streams(priority, readers));
        });
    double fewest =
        load.reads.values().stream().mapToDouble(Double::doubleValue).min().orElse(ENOUGH_READS);
    double wanted = Math.ceil(ENOUGH_READS / fewest);
    seconds = (int) Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, wanted));
    overloaded = simulation.run(seconds).isOverloaded();
  }

  /** The length of the simulated time, in seconds. */
  @JsonProperty
  int seconds() {
    return seconds;
  }

  /** Whether more reads arrive than the disk can answer: latencies then grow without end. */
  @JsonProperty
  public boolean overloaded() {
    return overloaded;
  }

  /** Whether the disk answers all reads, and each class with a target within it. */
  @JsonProperty
  public boolean fits() {
    return !overloaded && reads.stream().allMatch(Reads::withinTarget);
  }

  /** The short reads, in the order in which they were added. */
  @JsonProperty
  public List<Reads> reads() {
    return List.copyOf(reads);
  }

  @JsonProperty
  List<Streams> streams() {
    return List.copyOf(streams);
  }

  /** What all streams read together, in MB/s. */
  public double streamsMegabytesPerSecond() {
    return streams.stream().mapToDouble(Streams::megabytesPerSecond).sum();
  }
}
