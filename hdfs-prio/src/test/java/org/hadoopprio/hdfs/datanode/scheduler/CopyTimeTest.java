// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.simulation.DiskModel;
import org.hadoopprio.simulation.DiskSimulation;
import org.hadoopprio.simulation.StreamReader;
import org.junit.jupiter.api.Test;

/**
 * How long a replica is read that the mover wants on another disk of the same DataNode, beside many
 * streams of a greater weight, in virtual time.
 */
class CopyTimeTest {

  private static final double REPLICA_MB = (256 << 20) / 1e6;
  private static final int STREAMS = 64;
  private static final int SECONDS = 60;

  /** After 300 s without an answer the mover gives up; the other disk needs some of that. */
  private static final double MOST_SECONDS = 240;

  private static double megabytesPerSecond(boolean outside) {
    DiskSimulation disk =
        new DiskSimulation(DiskSettings.DEFAULT, new DiskModel.Builder().read(8.93).build());
    for (int i = 0; i < STREAMS; i++) {
      disk.stream(DiskClass.BEST_EFFORT, 4);
    }
    StreamReader copy = disk.stream(DiskClass.BEST_EFFORT, 1);
    if (outside) {
      copy.setOutside();
    }
    disk.run(SECONDS);
    return copy.megabytesPerSecond();
  }

  @Test
  void aCopyBesideManyStreamsIsReadInTime() {
    double inTurns = megabytesPerSecond(false);
    double after = megabytesPerSecond(true);
    double turnsSeconds = TimeUnit.NANOSECONDS.toSeconds(ReplicaCopy.TURNS_NANOS);
    double seconds = turnsSeconds + (REPLICA_MB - turnsSeconds * inTurns) / after;
    String figures =
        String.format("%.2f MB/s in turns, %.2f after that: %.0f s", inTurns, after, seconds);
    assertTrue(REPLICA_MB / inTurns > MOST_SECONDS, "no bound is needed: " + figures);
    assertTrue(seconds < MOST_SECONDS, figures);
  }
}
