// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.disktime.Owner;

/**
 * Recognizes reads that continue an earlier one in the same block file: a scan that HBase does by
 * positioned reads is many short reads, each beginning near the end of the one before. It
 * recognizes them, and does not enforce it: who leaves gaps between reads makes short ones.
 * Thread-safe.
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

  /**
   * So many short reads continue one another until they are a stream: of 200 random ones a second
   * in 1 GiB, every 40th continues another by chance, and a turn of its own costs the others one.
   */
  private static final int CONTINUED = 2;

  private static final int MAX_ENTRIES = 4096;

  /** By place of the end. */
  private final Map<Place, End> ends = new Recent<>();

  /** The streams that were read ahead last, of clients that read the disk themselves. */
  private final Map<Place, ReadStream> readAhead = new Recent<>();

  /** Keeps a number of entries; the one that was not used for longest goes first. */
  private static final class Recent<V> extends LinkedHashMap<Place, V> {
    private static final long serialVersionUID = 1;

    Recent() {
      super(64, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Place, V> eldest) {
      return size() > MAX_ENTRIES;
    }
  }

  /** A part of a block, read for somebody. What for is no part of it: that, anybody can state. */
  private static final class Place {
    final long block;
    final long part;
    final Owner owner;

    Place(long block, long offset, Owner owner) {
      this.block = block;
      this.part = Math.floorDiv(offset, SLACK_BYTES);
      this.owner = owner;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Place
          && ((Place) other).block == block
          && ((Place) other).part == part
          && ((Place) other).owner.diskClass() == owner.diskClass()
          && ((Place) other).owner.tenant() == owner.tenant();
    }

    @Override
    public int hashCode() {
      return Objects.hash(block, part, owner.diskClass(), owner.tenant());
    }
  }

  /** Where and when a read of a stream ended. */
  private static final class End {
    final ReadStream stream;
    final long at;

    End(ReadStream stream, long at) {
      this.stream = stream;
      this.at = at;
    }
  }

  /**
   * The stream that a read belongs to, which others may continue from now on.
   *
   * @param offset where it begins in the block, in bytes
   * @param length of the read, in bytes
   * @param now of a monotonic clock, in nanoseconds
   * @return null for a short read that continues none, or is the first that does
   */
  synchronized ReadStream of(long block, long offset, long length, Owner owner, long now) {
    ReadStream found = take(block, offset, owner, now);
    ReadStream stream = found == null ? new ReadStream() : found;
    put(block, offset + length, owner, stream, now);
    stream.continued += found == null ? 0 : 1;
    if (length > SHORT_BYTES) {
      // It need not be continued to be one.
      stream.continued = CONTINUED;
    }
    return stream.continued >= CONTINUED ? stream : null;
  }

  /**
   * The stream that a read continues, which no other read does then.
   *
   * @return null if there is none
   */
  synchronized ReadStream take(long block, long offset, Owner owner, long now) {
    for (long near : new long[] {offset, offset - SLACK_BYTES, offset + SLACK_BYTES}) {
      End end = ends.remove(new Place(block, near, owner));
      if (end != null && now - end.at <= MAX_GAP_NANOS) {
        return end.stream;
      }
    }
    return null;
  }

  /** From now on a read may continue a stream where the last one ends. */
  synchronized void put(long block, long end, Owner owner, ReadStream stream, long now) {
    ends.put(new Place(block, end, owner), new End(stream, now));
  }

  /**
   * The stream that is read ahead for clients that read a block themselves, if one of them can have
   * come to an offset. Such a client says nothing while it reads what has been read ahead.
   *
   * @return null if there is none
   */
  synchronized ReadStream readAhead(long block, long offset, Owner owner) {
    ReadStream stream = readAhead.get(new Place(block, 0, owner));
    return stream != null && stream.readahead.covers(offset) ? stream : null;
  }

  /** From now on this stream is the one of {@link #readAhead}. */
  synchronized void setReadAhead(long block, Owner owner, ReadStream stream) {
    readAhead.put(new Place(block, 0, owner), stream);
  }
}
