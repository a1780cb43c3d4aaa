// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StaticMixTest {

  private final StaticMix mix = new StaticMix(2);

  private interface Step {
    void run() throws InterruptedException;
  }

  /** A step on a thread of its own that is seen to wait. */
  private static Thread waiting(Step step) throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      assertTrue(thread.isAlive(), "it does not wait");
      Thread.sleep(1);
    }
    return thread;
  }

  private void piece() throws InterruptedException {
    mix.beginPiece();
    mix.endPiece();
  }

  @Test
  void aReadWaitsForItsPiecesAndPiecesForTheRead() throws Exception {
    Thread read = waiting(mix::beginRead);
    piece();
    mix.beginPiece();
    Thread third = waiting(mix::beginPiece);
    assertTrue(read.isAlive());
    mix.endPiece();
    read.join();
    // The read is at the disk alone.
    assertTrue(third.isAlive());
    mix.endRead();
    third.join();
  }

  @Test
  void piecesGoOnWhileNoReadWaits() throws Exception {
    for (int i = 0; i < 7; i++) {
      piece();
    }
    mix.beginPiece();
    mix.beginPiece();
    // No more than these at a time.
    Thread more = waiting(mix::beginPiece);
    mix.endPiece();
    more.join();
  }

  @Test
  void aReadDoesNotWaitForPiecesThatDoNotCome() throws Exception {
    Thread read = waiting(mix::beginRead);
    mix.end();
    read.join();
    assertFalse(read.isAlive());
  }

  @Test
  void aMixWithoutPiecesIsRefused() {
    assertEquals(
        "pieces for each read: 1 or more, not 0",
        assertThrows(IllegalArgumentException.class, () -> new StaticMix(0)).getMessage());
  }
}
