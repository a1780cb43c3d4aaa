// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

/**
 * A scheduler that knows shares and no time: for each read of one reader, a fixed number of pieces
 * of streams. So many pieces are at the disk together, at most; the read is there alone. While no
 * read waits, pieces go on. Thread-safe.
 */
final class StaticMix {

  private final int pieces;

  /** Pieces since the last read. */
  private int begun;

  private int underWay;
  private boolean readWaits;
  private boolean reading;
  private boolean ended;

  /**
   * A mix.
   *
   * @param pieces for each read, at least 1
   */
  StaticMix(int pieces) {
    if (pieces < 1) {
      throw new IllegalArgumentException("pieces for each read: 1 or more, not " + pieces);
    }
    this.pieces = pieces;
  }

  /** Waits until a piece may be read. */
  synchronized void beginPiece() throws InterruptedException {
    while (reading || underWay == pieces || (readWaits && begun >= pieces)) {
      wait();
    }
    begun++;
    underWay++;
  }

  /** A piece has been read. */
  synchronized void endPiece() {
    underWay--;
    notifyAll();
  }

  /** Waits until the read may begin; for one thread. */
  synchronized void beginRead() throws InterruptedException {
    readWaits = true;
    while (underWay > 0 || (begun < pieces && !ended)) {
      wait();
    }
    readWaits = false;
    reading = true;
  }

  /** The read has ended. */
  synchronized void endRead() {
    reading = false;
    begun = 0;
    notifyAll();
  }

  /** There are no more pieces; reads need not wait for any. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }
}
