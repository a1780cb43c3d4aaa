// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;

/** Knows which part of a block's data is in the page cache. */
interface CachedData {

  /** Whether a range of the block, in bytes, is in the page cache, or is being read into it. */
  boolean isCached(long offset, long length);

  /** The block's open file, from which it may be read ahead; null if there is none. */
  default FileDescriptor file() {
    return null;
  }
}
