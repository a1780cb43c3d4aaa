// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.DiskClass;

/** One who makes short reads at random places: each when it has the one before, or as they come. */
public final class ShortReader extends Reader {

  private final double ratePerSecond;
  private int arrived;
  private long targetNanos;
  private double cached;
  private double twice;

  /** How many reads follow the first one of a call, each when the client has the one before. */
  int following;

  /** How many more than follow are said to. */
  int exaggerated;

  /** The time from the last byte of one read to the next read, in the client and on the network. */
  long think = 2 * MS;

  /** Whether it syncs, which the disk does as a short read. */
  boolean syncs;

  /**
   * Makes a reader.
   *
   * @param ratePerSecond how many calls come at random times; 0 for one after the other
   */
  ShortReader(
      DiskClass diskClass, double weight, double ratePerSecond, SimulatedDisk disk, Random random) {
    super(diskClass, weight, disk, random);
    this.ratePerSecond = ratePerSecond;
  }

  /**
   * Sets a latency target.
   *
   * @param millis 0 for none
   * @return this
   */
  public ShortReader within(int millis) {
    targetNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    return this;
  }

  /**
   * Sets the part of the reads that is answered from the page cache at once, 0 to 1.
   *
   * @return this
   */
  public ShortReader cached(double part) {
    cached = part;
    return this;
  }

  /**
   * Sets the part of the others that needs a second read, which nobody has predicted, when the
   * client has the first one, 0 to 1.
   *
   * @return this
   */
  public ShortReader twice(double part) {
    twice = part;
    return this;
  }

  boolean hasTarget() {
    return targetNanos > 0;
  }

  boolean isOpenLoop() {
    return ratePerSecond > 0;
  }

  @Override
  boolean isSequential() {
    return false;
  }

  @Override
  int requestBytes() {
    return DiskModel.READ_BYTES;
  }

  @Override
  long place() {
    return anywhere(DiskModel.READ_BYTES);
  }

  @Override
  double arrivalsPerSecond() {
    return ratePerSecond * (1 - cached);
  }

  @Override
  SimulatedRead call(long at) {
    return read(at, at, following);
  }

  private SimulatedRead read(long at, long since, int follow) {
    Claim claim = claim();
    if (syncs) {
      claim.setSyncs();
    }
    if (hasTarget()) {
      claim.setDeadline(since + targetNanos, follow + exaggerated);
    }
    return new SimulatedRead(this, at, since, claim, follow);
  }

  @Override
  Optional<SimulatedRead> following(SimulatedRead read) {
    if (!isOpenLoop() || read.isSecond()) {
      return Optional.empty();
    }
    arrived += now() > RAMP ? 1 : 0;
    return Optional.of(call(now() + (long) (pause(1) / ratePerSecond * 1e9)));
  }

  @Override
  boolean isCached(SimulatedRead read) {
    return isOpenLoop() && !read.isSecond() && isOneOf(cached);
  }

  @Override
  boolean goesOn(SimulatedRead read) {
    return read.following > 0 || (!read.isSecond() && isOneOf(twice));
  }

  @Override
  Optional<SimulatedRead> next(SimulatedRead read, boolean goesOn, boolean turnIsOver) {
    long at = now() + think;
    if (goesOn) {
      return Optional.of(read(at, read.since, Math.max(0, read.following - 1)));
    }
    return isOpenLoop() ? Optional.empty() : Optional.of(call(at));
  }

  @Override
  boolean isLeftBehind(double part, int some) {
    return isOpenLoop() && arrived - answered() > part * arrived + some;
  }

  /** The part of its calls that ended after their latency target; 0 without one. */
  public double latePart() {
    long late = hasTarget() ? latencies.stream().filter(n -> n > targetNanos).count() : 0;
    return late / (double) Math.max(1, latencies.size());
  }
}
