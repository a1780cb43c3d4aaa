// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.OptionalDouble;
import org.hadoopprio.disktime.ServiceTimes;

/**
 * How long one hard disk takes for a read, in a {@link DiskSimulation}: the arm's way, the
 * rotation, and the transfer. The curve is that of a drive of 7200 rpm, stretched and shifted so
 * that a random read takes as long on average, with such a deviation, as was measured. Immutable.
 */
public final class DiskModel {

  /** What a short read reads, in bytes: a block of HBase and its checksums. */
  static final int READ_BYTES = 56 << 10;

  /** The fewest measured reads or turns that tell something. */
  public static final int MIN_SAMPLES = 30;

  /** The least and the greatest mean of a read, in milliseconds. */
  public static final double MIN_READ_MILLIS = 0.5;

  public static final double MAX_READ_MILLIS = 1000;

  /** The least and the greatest rate of a stream, in MB/s (1e6 bytes). */
  public static final double MIN_MB_PER_S = 1;

  public static final double MAX_MB_PER_S = 10_000;

  /** The rate of streams on a drive of 7200 rpm, about the middle of its tracks. */
  static final double USUAL_MB_PER_S = 160;

  private static final double BYTES_PER_MB = 1e6;
  private static final double MILLIS_PER_S = 1000;
  private static final double MICROS_PER_MS = 1000;

  /** One rotation at 7200 rpm. */
  private static final double ROTATION = 8.33;

  private static final double TRACK_TO_TRACK = 1;
  private static final double FULL_STROKE = 9;

  /** How many rotations' worth of places a disk has: enough that the angle of each is random. */
  private static final double TRACKS = 1e6;

  /** Places that are nearer follow one another: no positioning. */
  private static final double SAME_PLACE = 1e-9;

  /**
   * Mean and standard deviation of the curve between two random places. The root of the distance of
   * two uniform numbers has the mean 8/15 and the variance 1/3 - (8/15)^2, their difference without
   * sign 1/3 and 1/18.
   */
  static final double CURVE_MEAN = TRACK_TO_TRACK + FULL_STROKE * 8 / 15 + ROTATION / 3;

  static final double CURVE_DEVIATION =
      Math.sqrt(FULL_STROKE * FULL_STROKE * (1.0 / 3 - 64.0 / 225) + ROTATION * ROTATION / 18);

  private final double readMillis;
  private final double deviationMillis;
  private final double bytesPerMilli;

  /** Of the begin of a turn; empty if it follows the curve. */
  private final OptionalDouble turnOverhead;

  private final double openMillis;
  private final double floor;
  private final double stretch;

  /** The mean of what comes in addition at random, exponentially distributed. */
  private final double extraMillis;

  private DiskModel(
      double readMillis,
      OptionalDouble deviation,
      double megabytesPerSecond,
      OptionalDouble turnOverhead,
      double openMillis) {
    requireRange("a read's mean", readMillis, MIN_READ_MILLIS, MAX_READ_MILLIS, "ms");
    requireRange("the streams' rate", megabytesPerSecond, MIN_MB_PER_S, MAX_MB_PER_S, "MB/s");
    this.readMillis = readMillis;
    this.bytesPerMilli = megabytesPerSecond * BYTES_PER_MB / MILLIS_PER_S;
    this.turnOverhead = turnOverhead;
    this.openMillis = openMillis;
    double positioning = readMillis - READ_BYTES / bytesPerMilli;
    if (positioning <= 0) {
      throw new IllegalArgumentException(
          String.format(
              "a read of %d KiB takes %.1f ms at %.1f MB/s without any seek: its mean must be more"
                  + " than that, and is %.1f ms",
              READ_BYTES >> 10, READ_BYTES / bytesPerMilli, megabytesPerSecond, readMillis));
    }
    double byCurve = positioning * CURVE_DEVIATION / CURVE_MEAN;
    // More than that has no distribution here: that of a random number that is seldom large.
    double wanted = Math.min(deviation.orElse(byCurve), positioning);
    this.deviationMillis = wanted;
    if (wanted <= byCurve) {
      this.extraMillis = 0;
      this.stretch = wanted / CURVE_DEVIATION;
    } else {
      this.extraMillis = extra(positioning, wanted);
      this.stretch = (positioning - extraMillis) / CURVE_MEAN;
    }
    this.floor = positioning - extraMillis - stretch * CURVE_MEAN;
  }

  /** Solves (positioning - e)^2 (CURVE_DEVIATION / CURVE_MEAN)^2 + e^2 = wanted^2 for e. */
  private static double extra(double positioning, double wanted) {
    double c = CURVE_DEVIATION * CURVE_DEVIATION / (CURVE_MEAN * CURVE_MEAN);
    double cm = c * positioning;
    double root = cm * cm - (1 + c) * (cm * positioning - wanted * wanted);
    return Math.min(positioning, (cm + Math.sqrt(root)) / (1 + c));
  }

  private static void requireRange(
      String what, double value, double least, double greatest, String unit) {
    if (!(value >= least && value <= greatest)) {
      throw new IllegalArgumentException(
          what + " is " + value + " " + unit + "; allowed: " + least + " to " + greatest);
    }
  }

  /** What is known of a disk; what is stated goes before what was measured. Not thread-safe. */
  public static final class Builder {
    private ServiceTimes times = ServiceTimes.NONE;
    private OptionalDouble read = OptionalDouble.empty();
    private OptionalDouble deviation = OptionalDouble.empty();
    private OptionalDouble rate = OptionalDouble.empty();
    private OptionalDouble turnOverhead = OptionalDouble.empty();
    private OptionalDouble open = OptionalDouble.empty();

    /** What a DataNode has measured. */
    public Builder measured(ServiceTimes measured) {
      times = measured;
      return this;
    }

    /** The mean of a random read of 56 KiB that the disk does alone, in milliseconds. */
    public Builder read(double millis) {
      read = OptionalDouble.of(millis);
      return this;
    }

    /** The standard deviation of that, in milliseconds; by default that of the curve. */
    public Builder deviation(double millis) {
      deviation = OptionalDouble.of(millis);
      return this;
    }

    /** What one stream reads if nothing interrupts it, in MB/s. */
    public Builder streams(double megabytesPerSecond) {
      rate = OptionalDouble.of(megabytesPerSecond);
      return this;
    }

    /** What the begin of a turn costs, in milliseconds; by default as much as a random read. */
    public Builder turnOverhead(double millis) {
      turnOverhead = OptionalDouble.of(millis);
      return this;
    }

    /** What a read needs of the disk to open its files, on average, in milliseconds. */
    public Builder open(double millis) {
      open = OptionalDouble.of(millis);
      return this;
    }

    /** Whether the time of a read was stated or measured. */
    public boolean knowsReads() {
      return read.isPresent() || times.getReads() >= MIN_SAMPLES;
    }

    /** Whether the rate of streams was stated, or measured in turns that are more than a seek. */
    public boolean knowsStreams() {
      return rate.isPresent()
          || (times.getTurns() >= MIN_SAMPLES
              && times.getTurnMicros() / MICROS_PER_MS > 2 * overhead());
    }

    private double overhead() {
      return turnOverhead.orElse(readMillis());
    }

    private double readMillis() {
      return read.orElse(times.getReadMicros() / MICROS_PER_MS);
    }

    /** Without its begin, a turn reads its bytes at the rate that is looked for. */
    private double measuredRate() {
      double millis = times.getTurnMicros() / MICROS_PER_MS - overhead();
      // The time of a read includes its transfer, the begin of a turn does not.
      double bytes = times.getTurnBytes() - (turnOverhead.isPresent() ? 0 : READ_BYTES);
      return bytes / millis * MILLIS_PER_S / BYTES_PER_MB;
    }

    /**
     * Makes the model. The rate of streams is that of a usual drive if it is not known.
     *
     * @throws IllegalArgumentException if no disk is like that, saying what is allowed, or if the
     *     time of a read is not known
     */
    public DiskModel build() {
      if (!knowsReads()) {
        throw new IllegalArgumentException("the time of a read is not known");
      }
      if (read.isEmpty() && deviation.isEmpty()) {
        deviation(times.getReadDeviationMicros() / MICROS_PER_MS);
      }
      double streams = rate.orElseGet(() -> knowsStreams() ? measuredRate() : USUAL_MB_PER_S);
      double opens = open.orElse(times.getOpenMicros() / MICROS_PER_MS);
      return new DiskModel(readMillis(), deviation, streams, turnOverhead, opens);
    }
  }

  /** The mean of a random read that the disk does alone, in milliseconds. */
  public double readMillis() {
    return readMillis;
  }

  /** Its standard deviation, in milliseconds. */
  public double deviationMillis() {
    return deviationMillis;
  }

  /** What a stream reads without an interruption, in MB/s. */
  public double megabytesPerSecond() {
    return bytesPerMilli * MILLIS_PER_S / BYTES_PER_MB;
  }

  /** What the begin of a turn costs on average if the arm comes from anywhere, in milliseconds. */
  public double turnOverheadMillis() {
    return turnOverhead.orElse(readMillis - transferMillis(READ_BYTES));
  }

  /**
   * What a short read needs of the disk, on average, to open its files before its data is read, in
   * milliseconds: reads of their inodes and of the header of the checksums.
   */
  public double openMillis() {
    return openMillis;
  }

  /** The mean of what comes in addition to the way, at random; 0 for nothing. */
  double extraMillis() {
    return extraMillis;
  }

  double transferMillis(int bytes) {
    return bytes / bytesPerMilli;
  }

  /**
   * Seek and rotation, in milliseconds.
   *
   * @param from where the arm is, 0 to 1
   * @param to where the read is
   * @param stream whether it is a stream's
   * @param nanos the time, which says where the disk is in its rotation
   */
  double positioningMillis(double from, double to, boolean stream, long nanos) {
    double distance = Math.abs(to - from);
    if (distance < SAME_PLACE) {
      return 0;
    }
    if (stream && turnOverhead.isPresent()) {
      return turnOverhead.getAsDouble();
    }
    double angle = Math.abs((to * TRACKS) % 1 - (nanos / (ROTATION * 1e6)) % 1);
    return floor
        + stretch * (TRACK_TO_TRACK + FULL_STROKE * Math.sqrt(distance) + ROTATION * angle);
  }
}
