package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

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
  static final long SLACK_BYTES = 4 << 10;

  /** A scan's next read comes sooner; later it would be chance. */
  static final long MAX_GAP_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int MAX_ENTRIES = 4096;

  /** By place of the end; the one that was not used for longest goes first. */
  private final Map<Place, End> ends =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, End> eldest) {
          return size() > MAX_ENTRIES;
        }
      };

  /** A part of a block, read by a class. */
  private static final class Place {
    final long block;
    final long part;
    final DiskClass diskClass;

    Place(long block, long offset, DiskClass diskClass) {
      this.block = block;
      this.part = Math.floorDiv(offset, SLACK_BYTES);
      this.diskClass = diskClass;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Place
          && ((Place) other).block == block
          && ((Place) other).part == part
          && ((Place) other).diskClass == diskClass;
    }

    @Override
    public int hashCode() {
      return Objects.hash(block, part, diskClass);
    }
  }

  /** Where and when a read of a stream ended. */
  private static final class End {
    final Stream stream;
    final long at;

    End(Stream stream, long at) {
      this.stream = stream;
      this.at = at;
    }
  }

  /**
   * The stream that a read belongs to.
   *
   * @param offset where it begins in the block, in bytes
   * @param length of the read, in bytes
   * @param now of a monotonic clock, in nanoseconds
   * @return null for a short read that continues none
   */
  synchronized Stream of(long block, long offset, long length, DiskClass diskClass, long now) {
    Stream stream = takeNear(block, offset, diskClass, now);
    boolean known = stream != null;
    if (!known) {
      stream = new Stream();
    }
    ends.put(new Place(block, offset + length, diskClass), new End(stream, now));
    return known || length > SHORT_BYTES ? stream : null;
  }

  private Stream takeNear(long block, long offset, DiskClass diskClass, long now) {
    for (long near : new long[] {offset, offset - SLACK_BYTES, offset + SLACK_BYTES}) {
      End end = ends.remove(new Place(block, near, diskClass));
      if (end != null && now - end.at <= MAX_GAP_NANOS) {
        return end.stream;
      }
    }
    return null;
  }
}
