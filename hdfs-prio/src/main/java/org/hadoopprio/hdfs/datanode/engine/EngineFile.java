package org.hadoopprio.hdfs.datanode.engine;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * A replica's file that an engine reads in large aligned pieces; a piece is kept until the next one
 * is read. Thread-safe, but for one reader: the bytes that it returns are valid until the next
 * call.
 */
final class EngineFile implements AutoCloseable {

  /** After this time stock HDFS code does the read; a drive finishes a full queue much sooner. */
  private static final int TIMEOUT_MILLIS = 5_000;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(EngineFile.class));

  private final VolumeEngine engine;
  private final Engine kind;
  private final NativeVolume volume;
  private final ReadBuffers.Buffer buffer;
  private final long end;
  private final BooleanSupplier demoted;

  private long handle;
  private long from;
  private int valid;
  private boolean broken;

  /**
   * A file that is open.
   *
   * @param handle as of {@link NativeVolume#open}
   * @param end the end of the read in the file, in bytes; exclusive
   * @param demoted whether the calling thread's real-time read now has a lower priority
   */
  EngineFile(
      VolumeEngine engine,
      Engine kind,
      NativeVolume volume,
      long handle,
      ReadBuffers.Buffer buffer,
      long end,
      BooleanSupplier demoted) {
    this.engine = engine;
    this.kind = kind;
    this.volume = volume;
    this.handle = handle;
    this.buffer = buffer;
    this.end = end;
    this.demoted = demoted;
  }

  /**
   * Bytes of the file from a position onwards.
   *
   * @param wanted the number of bytes that will be used at least, if the file has them
   * @return at least one byte, or none at the end of the file; null if stock HDFS code must read
   *     (and throw its own exceptions)
   */
  synchronized ByteBuffer at(long position, long wanted) {
    if (handle == 0 || broken || volume.isRetired()) {
      return null;
    }
    if (position < from || position >= from + valid) {
      if (kind == Engine.NCQ && demoted.getAsBoolean()) {
        // A command to the drive would pass the requests that this part is to wait for.
        return null;
      }
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
            : PbsLibrary.pbs_read_direct(
                handle, buffer.dataAddress, length, start, threadPriority(), buffer.outcomeAddress);
    count();
    valid = (int) Math.max(0, result);
    from = start;
    return result >= 0;
  }

  /** The priority applied to the thread, which respects the rights of the process. */
  private static int threadPriority() {
    IoPriority applied = ThreadIoPriority.applied();
    return applied == null ? 0 : applied.kernelValue();
  }

  private void count() {
    int way = buffer.outcome.getInt(PbsLibrary.OUTCOME_WAY);
    if (way == PbsLibrary.WAY_CACHE) {
      engine.readFromCache();
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
      volume.close(handle);
      handle = 0;
      ReadBuffers.put(buffer);
    }
  }
}
