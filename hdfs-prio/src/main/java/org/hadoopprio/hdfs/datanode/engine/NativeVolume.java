package org.hadoopprio.hdfs.datanode.engine;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A volume as the library has it open. It stays open until it is retired and the last of its files
 * is closed. Thread-safe.
 */
final class NativeVolume {

  private static final int IN_FLIGHT = 32;

  private final long handle;
  private final PbsLibrary.Info info;

  /** The owner, until it retires the volume, and each open file. */
  private final AtomicInteger users = new AtomicInteger(1);

  private volatile boolean retired;

  private NativeVolume(long handle, PbsLibrary.Info info) {
    this.handle = handle;
    this.info = info;
  }

  /**
   * Opens a volume. Succeeds also where no engine can be used, see {@link #info}.
   *
   * @throws IOException saying what stands in the way
   */
  static NativeVolume open(Path directory, EngineSettings settings) throws IOException {
    PbsLibrary.Options options = new PbsLibrary.Options();
    options.helper = settings.helper();
    // With a helper this process's own rights are not used, so that both ways are not mixed.
    options.access =
        settings.helper() == null ? PbsLibrary.ACCESS_DEVICE : PbsLibrary.ACCESS_HELPER;
    options.raiseAfterMillis = settings.raiseAfterMillis();
    options.inFlight = IN_FLIGHT;
    PointerByReference volume = new PointerByReference();
    byte[] error = new byte[PbsLibrary.TEXT];
    if (PbsLibrary.pbs_volume_open(directory.toString(), options, volume, error) != 0) {
      throw new IOException(PbsLibrary.text(error));
    }
    PbsLibrary.Info info = new PbsLibrary.Info();
    long handle = Pointer.nativeValue(volume.getValue());
    PbsLibrary.pbs_volume_info(handle, info);
    return new NativeVolume(handle, info);
  }

  PbsLibrary.Info info() {
    return info;
  }

  /**
   * Opens a file of this volume.
   *
   * @param scratch whose outcome is overwritten
   * @return its handle, for {@link #close}; 0 where there is none to be had
   */
  long open(int descriptor, ReadBuffers.Buffer scratch) {
    if (users.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      return 0;
    }
    if (PbsLibrary.pbs_file_open(handle, descriptor, scratch.outcomeAddress) != 0) {
      release();
      return 0;
    }
    return scratch.outcome.getLong(0);
  }

  void close(long file) {
    PbsLibrary.pbs_file_close(file);
    release();
  }

  /** Opens no more files; for its one owner, once. */
  void retire() {
    retired = true;
    release();
  }

  /** Whether files that are open are better read in another way. */
  boolean isRetired() {
    return retired;
  }

  private void release() {
    if (users.decrementAndGet() == 0) {
      // It waits for commands that a drive has not answered, which no reader should.
      Thread closer =
          new Thread(() -> PbsLibrary.pbs_volume_close(handle), "hadoop-prio engine close");
      closer.setDaemon(true);
      closer.start();
    }
  }
}
