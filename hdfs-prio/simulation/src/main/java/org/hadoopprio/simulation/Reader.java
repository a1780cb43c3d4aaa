// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.disktime.Tenant;

/** One who reads in a {@link DiskSimulation}: what it asks for, and what it has got. */
public abstract class Reader {

  /** The time that does not count, at the begin of a simulation. */
  static final long RAMP = 3_000_000_000L;

  static final long MS = 1_000_000;

  /** A part of a real-time stream, and what a turn reads at a time. */
  static final int PIECE = 256 << 10;

  private static final long BLOCK = 4096;

  final DiskClass diskClass;
  final List<Long> latencies = new ArrayList<>();
  long longestWait;
  long lastDone;

  /** Where it reads on, if it is a stream, in bytes. */
  long position;

  private final double weight;
  private final SimulatedDisk disk;
  private final Random random;
  private Tenant tenant = Tenant.DEFAULT;
  private boolean outside;
  private long bytes;

  Reader(DiskClass diskClass, double weight, SimulatedDisk disk, Random random) {
    this.diskClass = diskClass;
    this.weight = weight;
    this.disk = disk;
    this.random = random;
    this.position = anywhere(PIECE);
  }

  // ---- what it asks for -------------------------------------------------------------------------

  /** How much it reads at a time, in bytes. */
  abstract int requestBytes();

  /** Where it reads now, in bytes. */
  abstract long place();

  /** How many reads a second come to the disk, however fast that answers. */
  double arrivalsPerSecond() {
    return 0;
  }

  /** The first read of the next call, if that comes however long the one of this read takes. */
  Optional<SimulatedRead> following(SimulatedRead read) {
    return Optional.empty();
  }

  /** Whether the page cache has what it asks for. */
  boolean isCached(SimulatedRead read) {
    return false;
  }

  /** Whether more than a part of the calls and some have no answer. */
  boolean isLeftBehind(double part, int some) {
    return false;
  }

  /** Its first read, or the first one of another call. */
  abstract SimulatedRead call(long at);

  /** Whether the client needs another read before it has what it called for. */
  boolean goesOn(SimulatedRead read) {
    return false;
  }

  /**
   * What it asks for when it has a read.
   *
   * @param goesOn as it has said
   * @param turnIsOver whether the turn was used up in which it has read
   */
  abstract Optional<SimulatedRead> next(SimulatedRead read, boolean goesOn, boolean turnIsOver);

  /** Whether it is a stream. */
  abstract boolean isSequential();

  /** The stream whose turns it has; null if it has none. */
  Stream stream() {
    return null;
  }

  final boolean isRealtime() {
    return diskClass == DiskClass.REALTIME;
  }

  /** Makes it one of a tenant's. */
  public final void setTenant(Tenant whose) {
    tenant = whose;
  }

  /** Makes it pass no scheduler, as whoever has waited for too long. */
  public final void setOutside() {
    outside = true;
  }

  final boolean isOutside() {
    return outside;
  }

  final Claim claim() {
    Claim claim = new Claim(diskClass, weight, stream());
    claim.setOwner(new Owner(diskClass, tenant));
    return claim;
  }

  final long now() {
    return disk.now();
  }

  /** The size of the disk that it reads, in bytes. */
  final long diskBytes() {
    return disk.bytes();
  }

  /** A place for so many bytes. */
  final long anywhere(int count) {
    long blocks = (disk.bytes() - count) / BLOCK;
    long block = (long) (random.nextDouble() * blocks);
    return block * BLOCK;
  }

  final boolean isOneOf(double part) {
    return part > 0 && random.nextDouble() < part;
  }

  /** An exponentially distributed time. */
  final double pause(double mean) {
    return -Math.log(1 - random.nextDouble()) * mean;
  }

  // ---- what it has got --------------------------------------------------------------------------

  /** A call is answered, whose last read this is. */
  final void answer(SimulatedRead read) {
    long now = disk.now();
    if (now > RAMP) {
      bytes += requestBytes();
      latencies.add(now - read.since);
      longestWait = Math.max(longestWait, now - Math.max(RAMP, lastDone));
    }
    lastDone = now;
  }

  /** The calls that were answered. */
  public final int answered() {
    return latencies.size();
  }

  /** A quantile of the time from a call to its answer, in milliseconds; NaN if none has ended. */
  public final double millis(double quantile) {
    Collections.sort(latencies);
    return latencies.isEmpty()
        ? Double.NaN
        : latencies.get((int) (latencies.size() * quantile)) / (double) MS;
  }

  /** The mean of the same time, in milliseconds; NaN if none has ended. */
  public final double meanMillis() {
    return latencies.stream().mapToLong(Long::longValue).average().orElse(Double.NaN) / MS;
  }

  /** What it has read, in MB/s. */
  public final double megabytesPerSecond() {
    return bytes / 1e6 / (Math.max(disk.now(), RAMP + 1) - RAMP) * 1e9;
  }
}
