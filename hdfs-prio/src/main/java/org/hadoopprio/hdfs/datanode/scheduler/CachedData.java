package org.hadoopprio.hdfs.datanode.scheduler;

/** Knows which part of a block's data is in the page cache. */
interface CachedData {

  /** Whether a range of the block, in bytes, is in the page cache, or is being read into it. */
  boolean isCached(long offset, long length);
}
