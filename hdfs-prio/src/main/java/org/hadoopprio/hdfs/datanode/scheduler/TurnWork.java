// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

/**
 * What is done in the turns of a stream. It has a thread only while it has a turn; see {@link
 * VolumeQueue#whenItHasATurn}.
 */
interface TurnWork {

  /**
   * Does a part of the work, at most until the turn has ended, and gives the turn back or asks for
   * the next one. On a thread of the volume, which may have any priority from the work before.
   */
  void inTurn();

  /**
   * Its wait has ended without a turn: it was cancelled, has waited too long, or too many threads
   * are at the disk. On any thread; must not use the disk.
   */
  void withoutTurn();
}
