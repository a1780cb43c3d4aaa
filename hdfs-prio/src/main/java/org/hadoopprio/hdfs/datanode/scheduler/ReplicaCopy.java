// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;

/**
 * The turns of a replica that is copied from one volume to another. HDFS copies its data with one
 * call, which cannot wait in between. So the data is read into the page cache before, in turns, and
 * what has been written there is brought to the other disk after, like any write. Thread-safe.
 */
public final class ReplicaCopy {

  /** As much as BlockSender reads at once. */
  private static final int PACKET_BYTES = 64 << 10;

  /**
   * How long a copy for the mover or the balancer takes turns. They give up a DataNode that has not
   * answered within 300 s (HDFS's time-out for reads, five times), and the copy sends nothing
   * before it is done. The rest of that time is for what is left then, and for the other disk.
   */
  static final long TURNS_NANOS = TimeUnit.SECONDS.toNanos(120);

  private ReplicaCopy() {}

  /**
   * The calling thread is about to copy a replica. On a volume in mode {@code turns}, returns when
   * its data is in the page cache, or its time has passed; otherwise does nothing.
   *
   * @param volume of the source
   * @param request the copy, whose priority the thread has
   * @param inTime whether somebody waits for the copy, which then takes turns for 120 s, and is
   *     read without from then on
   * @return false if that time has passed
   */
  public static boolean read(Volume volume, ReplicaInfo source, DiskRequest request, boolean inTime)
      throws IOException {
    IoPriority priority = request.priority();
    long end = source.getNumBytes();
    ScheduledRead read =
        ScheduledReads.make(
            new BlockRead(volume, source.getBlockId(), 0, end), priority, request.owner(priority));
    if (read == null) {
      return true;
    }
    if (inTime) {
      read.setTime(TURNS_NANOS);
    }
    try (InputStream in = source.getDataInputStream(0)) {
      if (in instanceof FileInputStream) {
        read(read, ((FileInputStream) in).getFD(), end);
      }
      return !read.isOutOfTime();
    } finally {
      read.finish();
    }
  }

  private static void read(ScheduledRead read, FileDescriptor replica, long end)
      throws IOException {
    try (CachedFile file = CachedFile.open(replica)) {
      Data data = new Data(file);
      // As the read expects it: it stops the kernel when others use the disk.
      PageCache.readAheadAgain(DescriptorNumber.of(data.file()));
      begin(read);
      boolean more = true;
      for (long offset = 0; more && offset < end; offset += PACKET_BYTES) {
        int bytes = (int) Math.min(PACKET_BYTES, end - offset);
        read.packet(offset, end, data);
        more = !read.isOutOfTime() && file.read(offset, bytes);
        read.packetDone(offset, bytes);
      }
    }
  }

  private static void begin(ScheduledRead read) {
    try {
      read.begin();
    } catch (RefusedReadException e) {
      throw new IllegalStateException("a read without a client must not be refused", e);
    }
  }

  private static final class Data implements CachedData {
    private final CachedFile file;
    private final FileDescriptor descriptor;

    Data(CachedFile file) throws IOException {
      this.file = file;
      this.descriptor = file.file();
    }

    @Override
    public boolean isCached(long offset, long length) {
      return file.isCached(offset, length);
    }

    @Override
    public FileDescriptor file() {
      return descriptor;
    }
  }

  /**
   * A replica has been copied, and its data is in the page cache. May wait until a part of it is on
   * the disk.
   *
   * @param volume of the copy
   * @param request the copy, whose priority the thread has
   * @param behind as in {@link ScheduledWrite#of}
   */
  public static void written(Volume volume, ReplicaInfo copy, DiskRequest request, long behind)
      throws IOException {
    ScheduledWrite write = ScheduledWrite.of(volume, copy.getVolume(), request, 0, 0, behind);
    if (write == null) {
      return;
    }
    try (InputStream in = copy.getDataInputStream(0)) {
      if (in instanceof FileInputStream) {
        write.written(((FileInputStream) in).getFD(), copy.getNumBytes());
      }
    } finally {
      write.finish();
    }
  }
}
