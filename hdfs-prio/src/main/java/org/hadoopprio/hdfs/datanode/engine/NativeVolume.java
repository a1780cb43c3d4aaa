// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A volume that the library has open. It stays open until it is retired and the last of its files
 * is closed. Thread-safe.
 */
class NativeVolume {

  private final long handle;
  private final PbsLibrary.Info info;

  /** Counts the owner, until it retires the volume, and each open file. */
  private final AtomicInteger users = new AtomicInteger(1);

  private volatile boolean retired;

  NativeVolume(long handle, PbsLibrary.Info info) {
    this.handle = handle;
    this.info = info;
  }

  /**
   * Opens a volume. Succeeds even if no engine can be used; see {@link #info}.
   *
   * @throws IOException with the reason if the volume cannot be opened
   */
  static NativeVolume open(Path directory, EngineSettings settings) throws IOException {
    PbsLibrary.Options options = new PbsLibrary.Options();
    options.helper = settings.helper();
    // With a helper, this process does not use its own rights, so that the two are not mixed.
    options.access =
        settings.helper() == null ? PbsLibrary.ACCESS_DEVICE : PbsLibrary.ACCESS_HELPER;
    options.inFlight = PbsLibrary.MOST_IN_FLIGHT;
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
   * Asks the drive for its descriptors of duration limits.
   *
   * @throws IOException with the reason why they are not known
   */
  PbsLibrary.Limits askLimits() throws IOException {
    PbsLibrary.Limits limits = new PbsLibrary.Limits();
    byte[] error = new byte[PbsLibrary.TEXT];
    if (PbsLibrary.pbs_volume_duration_limits(handle, limits, error) != 0) {
      throw new IOException(PbsLibrary.text(error));
    }
    return limits;
  }

  /** Reads through engine direct; {@code pbs_read_direct} with the buffer's outcome. */
  long readDirect(long file, ReadBuffers.Buffer buffer, long length, long offset, int ioprio) {
    return PbsLibrary.pbs_read_direct(
        file, buffer.dataAddress, length, offset, ioprio, buffer.outcomeAddress);
  }

  /**
   * Opens a file of this volume.
   *
   * @param scratch a buffer whose outcome is overwritten
   * @return its handle, for {@link #close}; 0 if the file cannot be opened
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

  /** Stops opening files; the owner calls this once. */
  void retire() {
    retired = true;
    release();
  }

  /** Whether open files should be read in another way. */
  boolean isRetired() {
    return retired;
  }

  private void release() {
    if (users.decrementAndGet() == 0) {
      // It waits for commands that the drive has not answered; a reader must not wait for them.
      Thread closer =
          new Thread(() -> PbsLibrary.pbs_volume_close(handle), "hadoop-prio engine close");
      closer.setDaemon(true);
      closer.start();
    }
  }
}
