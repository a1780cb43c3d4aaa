// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.BlockDevice;

/** The directory that the tests run in, a volume for some of them. */
final class WorkingDirectory {

  private WorkingDirectory() {}

  /** Skips a test that needs a queue of turns, which only a volume on a block device has. */
  static void requireBlockDevice() {
    try {
      BlockDevice.of(Path.of("").toAbsolutePath());
    } catch (FileSystemException e) {
      Need.BLOCK_DEVICE.missing(e.getReason(), e);
    }
  }
}
