// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import java.io.FileInputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * A block that a reader reads by short circuit. The reader lets one thread read at a time, which
 * guards the fields that change.
 */
final class ShortCircuitBlock {

  final TurnClient client;
  final String pool;
  final long id;
  final long generation;
  final String clientName;

  /** The directory of its volume; null until that is asked for. */
  private String volume;

  /** Where the last read from the file ended, in bytes; -1 before the first. */
  long lastEnd = -1;

  /** The part that is known to be in the page cache, in bytes. */
  long cachedFrom;

  long cachedUntil;

  ShortCircuitBlock(TurnClient client, ExtendedBlock block, String clientName) {
    this.client = client;
    this.pool = block.getBlockPoolId();
    this.id = block.getBlockId();
    this.generation = block.getGenerationStamp();
    this.clientName = clientName == null ? "" : clientName;
  }

  /** Whether the DataNode should not be asked about the block's volume now. */
  boolean rests(FileInputStream data) throws IOException {
    return !client.resting().isEmpty() && client.resting().contains(volume(data));
  }

  /** The DataNode should not be asked about the block's volume from now on. */
  void rest(FileInputStream data) throws IOException {
    client.resting().add(volume(data));
  }

  /** Whether reads of the block's volume are stock, as far as the DataNode has last said. */
  boolean isOff(FileInputStream data) throws IOException {
    return !client.resting().isEmpty() && client.resting().isOff(volume(data));
  }

  /** The DataNode has answered for the block's volume. */
  void setOff(FileInputStream data, boolean isOff) throws IOException {
    if (isOff || isOff(data)) {
      client.resting().setOff(volume(data), isOff);
    }
  }

  private String volume(FileInputStream data) throws IOException {
    if (volume == null) {
      volume = RestingVolumes.of(data, pool);
    }
    return volume;
  }
}
