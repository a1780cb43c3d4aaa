// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.nio.ByteBuffer;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.LoggerFactory;

/**
 * A replica's file that an engine reads in large aligned pieces; a piece is kept until the next one
 * is read. Thread-safe, but for one reader: the bytes that it returns are valid until the next
 * call.
 */
final class EngineFile implements AutoCloseable {

  /** After this time stock HDFS code does the read; a drive finishes a full queue much sooner. */
  private static final int TIMEOUT_MILLIS = 5_000;

  /** IOPRIO_HINT_SHIFT (include/uapi/linux/ioprio.h). */
  private static final int HINT_SHIFT = 3;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(EngineFile.class));

  private final VolumeEngine engine;
  private final Engine kind;
  private final NativeVolume volume;
  private final ReadBuffers.Buffer buffer;
  private final long end;
  private final ReadHints hints;

  private long handle;
  private long from;
  private int valid;
  private boolean broken;

  /** Whether the drive has given up on a read that may fail. */
  private boolean late;

  /**
   * A file that is open.
   *
   * @param handle as of {@link NativeVolume#open}
   * @param end the end of the read in the file, in bytes; exclusive
   * @param hints of a read with a latency target on a volume with duration limits; else null
   */
  EngineFile(
      VolumeEngine engine,
      Engine kind,
      NativeVolume volume,
      long handle,
      ReadBuffers.Buffer buffer,
      long end,
      ReadHints hints) {
    this.engine = engine;
    this.kind = kind;
    this.volume = volume;
    this.handle = handle;
    this.buffer = buffer;
    this.end = end;
    this.hints = hints;
  }

  /**
   * Reads the first piece, of which {@link #at} then gives the bytes. A failure is left to {@link
   * #at}.
   *
   * @return whether the client is to go elsewhere: the drive has given up on a read that may fail
   */
  synchronized boolean isLate(long position) {
    at(position, end - position);
    return late;
  }

  /**
   * Bytes of the file from a position onwards.
   *
   * @param wanted the number of bytes that will be used at least, if the file has them
   * @return at least one byte, or none at the end of the file; null if stock HDFS code must read
   *     (and throw its own exceptions)
   */
  synchronized ByteBuffer at(long position, long wanted) {
    if (handle == 0 || broken || volume.isRetired() || OffSwitch.isOff(AgentModule.ENGINES)) {
      return null;
    }
    if (position < from || position >= from + valid) {
      try {
        if (!read(position, wanted)) {
          return null;
        }
      } catch (RuntimeException | LinkageError e) {
        // Our failure must not fail the read.
        broken = true;
        PriorityMetrics.FAILED.increment();
        LOG.warn("A read failed in engine " + kind + " and continues through thread: " + e);
        return null;
      }
    }
    ByteBuffer bytes = buffer.data;
    bytes.limit(valid).position((int) Math.min(position - from, valid));
    return bytes;
  }

  private boolean read(long position, long wanted) {
    long start = position - position % ReadBuffers.ALIGNMENT;
    long stop = Math.max(end, position + wanted);
    long aligned = (stop - start + ReadBuffers.ALIGNMENT - 1) & -ReadBuffers.ALIGNMENT;
    long length = Math.min(ReadBuffers.BYTES, aligned);
    long result =
        kind == Engine.NCQ
            ? PbsLibrary.pbs_read_ncq(
                handle,
                buffer.dataAddress,
                length,
                start,
                PbsLibrary.LEVEL_HIGH,
                TIMEOUT_MILLIS,
                buffer.outcomeAddress)
            : direct(length, start);
    count();
    valid = (int) Math.max(0, result);
    from = start;
    return result >= 0;
  }

  private long direct(long length, long start) {
    int priority = threadPriority();
    if (hints == null) {
      return volume.readDirect(handle, buffer, length, start, priority);
    }
    long begin = System.nanoTime();
    int index = hints.choose(begin);
    long result = volume.readDirect(handle, buffer, length, start, withHint(priority, index));
    boolean expired = way() == PbsLibrary.WAY_NOT_READ;
    late = expired && hints.mayRefuse();
    if (index != LimitChoice.NO_LIMIT && way() != PbsLibrary.WAY_CACHE) {
      engine.readHinted();
    }
    if (expired) {
      engine.readExpired();
    }
    if (expired && !late) {
      // With the same limit the drive could give up again.
      result = volume.readDirect(handle, buffer, length, start, priority);
    }
    if (late || way() == PbsLibrary.WAY_DIRECT) {
      hints.answered(index, System.nanoTime() - begin);
    }
    return result;
  }

  /** The priority applied to the thread, which respects the rights of the process. */
  private static int threadPriority() {
    IoPriority applied = ThreadIoPriority.applied();
    return applied == null ? 0 : applied.kernelValue();
  }

  /**
   * A priority with a hint. The class stays, so that the I/O scheduler orders the request as
   * before; the driver looks at the hint alone (sd_cdl_dld in drivers/scsi/sd.c of Linux). A hint
   * is never given to a thread: what it reads into the page cache would fail with EIO, which HDFS
   * takes for a broken disk.
   */
  private static int withHint(int priority, int index) {
    if (index == LimitChoice.NO_LIMIT) {
      return priority;
    }
    // The kernel replaces what has no class by the thread's priority, without the hint.
    int withClass =
        priority == 0 ? IoPriority.bestEffort(IoPriority.DEFAULT_LEVEL).kernelValue() : priority;
    return withClass | index << HINT_SHIFT;
  }

  private int way() {
    return buffer.outcome.getInt(PbsLibrary.OUTCOME_WAY);
  }

  private void count() {
    int way = way();
    if (way == PbsLibrary.WAY_CACHE) {
      engine.readFromCache();
    } else if (way == PbsLibrary.WAY_NOT_READ) {
      // Counted as expired; the read goes on elsewhere.
      broken = true;
    } else if (way == PbsLibrary.WAY_FALLBACK) {
      int reason = buffer.outcome.getInt(PbsLibrary.OUTCOME_REASON);
      byte[] text = new byte[PbsLibrary.TEXT];
      buffer.outcome.duplicate().position(PbsLibrary.OUTCOME_TEXT).get(text);
      engine.readFellBack(
          volume, reason, PbsLibrary.reasonName(reason) + ": " + PbsLibrary.text(text));
    } else {
      engine.readDone();
    }
  }

  @Override
  public synchronized void close() {
    if (handle != 0) {
      long closing = handle;
      handle = 0;
      try {
        volume.close(closing);
      } finally {
        ReadBuffers.put(buffer);
      }
    }
  }
}
