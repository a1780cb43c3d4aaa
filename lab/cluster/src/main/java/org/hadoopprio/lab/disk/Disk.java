// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.hadoopprio.tools.trace.DeviceNumber;

/** Where a DataNode's blocks are. Implementations are safe for use by several threads. */
public interface Disk extends Closeable {

  /** The directory to write to. */
  Path directory();

  /**
   * The device whose block requests are this disk's; empty where no block device is below the
   * directory. Other files of the machine may be on it too, except for a disk of its own kind.
   */
  Optional<DeviceNumber> device();

  /** What it is, for people. */
  String description();

  /**
   * Writes out what is dirty and drops this disk's files from the page cache, so that the next read
   * of them reaches the device. Blocks that HDFS is writing stay.
   */
  void evictPageCache() throws IOException;

  /** Removes the disk and all its data; does nothing when it is already gone. */
  @Override
  void close() throws IOException;
}
