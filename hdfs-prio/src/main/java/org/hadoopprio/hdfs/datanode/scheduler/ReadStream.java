// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import org.hadoopprio.disktime.Stream;

/** A stream, and what reads ahead of it for a client that reads the disk itself. */
final class ReadStream extends Stream {

  /** Null if nothing does. Not guarded by the lock: used by that client's thread. */
  volatile TurnReadahead readahead;

  /**
   * How many reads have continued an earlier one; of few, that may be chance. Guarded by {@link
   * StreamTable}.
   */
  int continued;
}
