// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.Optional;
import java.util.Random;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Stream;

/** One who reads sequentially without end. */
public final class StreamReader extends Reader {

  /** From a request to the next one within a DataNode. */
  private static final double AT_ONCE = MS / 20.0;

  private final Stream stream;
  private int requestBytes = PIECE;
  private long meanPause;

  /** How long after a turn the client uses what was read ahead before it asks for more. */
  long digestion;

  StreamReader(DiskClass diskClass, double weight, SimulatedDisk disk, Random random) {
    super(diskClass, weight, disk, random);
    this.stream = isRealtime() ? null : new Stream();
  }

  /**
   * Sets other requests than those that a DataNode makes in a turn: what a kernel reads ahead, or a
   * part of a real-time read.
   *
   * @param bytes of a request
   * @param meanPauseNanos from the answer to a request to the next one, on average (exponentially
   *     distributed): the reader wakes up and comes to where the kernel reads on
   * @return this
   */
  public StreamReader requests(int bytes, long meanPauseNanos) {
    requestBytes = bytes;
    meanPause = meanPauseNanos;
    return this;
  }

  @Override
  boolean isSequential() {
    return true;
  }

  @Override
  Stream stream() {
    return stream;
  }

  @Override
  int requestBytes() {
    return requestBytes;
  }

  /** It begins again where the disk ends. */
  @Override
  long place() {
    long place = position;
    position = place + 2L * requestBytes > diskBytes() ? 0 : place + requestBytes;
    return place;
  }

  @Override
  SimulatedRead call(long at) {
    Claim claim = claim();
    if (isRealtime()) {
      claim.setContinues(true);
      claim.setParts(Math.max(1, requestBytes / PIECE));
    }
    return new SimulatedRead(this, at, at, claim, 0);
  }

  /** A real-time stream keeps its claim from part to part. */
  @Override
  Optional<SimulatedRead> next(SimulatedRead read, boolean goesOn, boolean turnIsOver) {
    double pause = meanPause == 0 ? AT_ONCE : pause((double) meanPause);
    long at = now() + (long) pause + (turnIsOver ? digestion : 0);
    return Optional.of(isRealtime() ? new SimulatedRead(this, at, at, read.claim, 0) : call(at));
  }
}
