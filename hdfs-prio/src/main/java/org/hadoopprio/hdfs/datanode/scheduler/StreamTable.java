package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Recognizes reads that continue an earlier one in the same block file: a scan that HBase does by
 * positioned reads is many short reads, each beginning near the end of the one before. Thread-safe.
 */
final class StreamTable {

  /** HDFS itself regards a longer read as a stream (BlockSender's isLongRead). */
  static final long SHORT_BYTES = 256 << 10;

  /**
   * How far from the end of the last read the next one may begin. HBase reads the next block's
   * header together with a block, and HDFS begins at a multiple of a checksum's chunk.
   */
  static final long SLACK_BYTES = 64 << 10;

  private static final int MAX_ENTRIES = 4096;

  /** By block and place of the end; the eldest goes first. */
  private final Map<Place, Stream> ends =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Stream> eldest) {
          return size() > MAX_ENTRIES;
        }
      };

  /** A part of a block. */
  private static final class Place {
    final long block;
    final long part;

    Place(long block, long offset) {
      this.block = block;
      this.part = offset / SLACK_BYTES;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Place
          && ((Place) other).block == block
          && ((Place) other).part == part;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(block * 31 + part);
    }
  }

  /**
   * The stream that a read belongs to.
   *
   * @param offset where it begins in the block, in bytes
   * @param length of the read, in bytes
   * @return null for a short read that continues none
   */
  synchronized Stream of(long block, long offset, long length) {
    Stream stream = takeNear(block, offset);
    boolean known = stream != null;
    if (!known) {
      stream = new Stream();
    }
    ends.put(new Place(block, offset + length), stream);
    return known || length > SHORT_BYTES ? stream : null;
  }

  private Stream takeNear(long block, long offset) {
    for (int i = 0; i <= 2; i++) {
      // The same place first, then the one before and the one after.
      long near = offset + (i == 0 ? 0 : i == 1 ? -SLACK_BYTES : SLACK_BYTES);
      Stream stream = near < 0 ? null : ends.remove(new Place(block, near));
      if (stream != null) {
        return stream;
      }
    }
    return null;
  }
}
