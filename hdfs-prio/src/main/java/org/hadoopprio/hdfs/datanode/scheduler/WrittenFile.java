// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.IOException;

/** A file whose data is brought from the page cache to the disk. Offsets and lengths in bytes. */
interface WrittenFile extends Closeable {

  /** Opens files. */
  @FunctionalInterface
  interface Opener {
    /** Opens once more what is open already. */
    WrittenFile open(FileDescriptor source) throws IOException;
  }

  /** Where the data at an offset lies on the device. */
  long place(long offset);

  /** Whether nothing of a part waits to be written; false also if the kernel does not tell. */
  boolean isClean(long offset, long length);

  /** Makes the kernel begin to write a part to the disk; returns false if it cannot. */
  boolean startWrite(long offset, long length);

  /** Waits until a part is on the disk that it has begun to write; returns false on an error. */
  boolean awaitWritten(long offset, long length);
}
