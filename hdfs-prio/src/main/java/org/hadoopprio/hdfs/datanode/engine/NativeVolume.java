package org.hadoopprio.hdfs.datanode.engine;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A volume as the library has it open. It stays open until it is retired and the last of its files
 * is closed. Thread-safe.
 */
final class NativeVolume {

  private static final int IN_FLIGHT = 32;

  private final Pointer handle;
  private final PbsLibrary.Info info;

  private int files;
  private volatile boolean retired;

  private NativeVolume(Pointer handle, PbsLibrary.Info info) {
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
    PbsLibrary.pbs_volume_info(volume.getValue(), info);
    return new NativeVolume(volume.getValue(), info);
  }

  PbsLibrary.Info info() {
    return info;
  }

  /**
   * Opens a file of this volume.
   *
   * @return its handle, for {@link #close}; 0 where there is none to be had
   */
  synchronized long open(int descriptor) {
    if (retired) {
      return 0;
    }
    PointerByReference file = new PointerByReference();
    if (PbsLibrary.pbs_file_open(handle, descriptor, file) != 0) {
      return 0;
    }
    files++;
    return Pointer.nativeValue(file.getValue());
  }

  synchronized void close(long file) {
    PbsLibrary.pbs_file_close(file);
    files--;
    closeIfUnused();
  }

  /** Opens no more files. */
  synchronized void retire() {
    if (!retired) {
      retired = true;
      closeIfUnused();
    }
  }

  /** Whether it opens no more files, and those that are open are better read in another way. */
  boolean isRetired() {
    return retired;
  }

  private void closeIfUnused() {
    if (retired && files == 0) {
      // It waits for commands that a drive has not answered, which no reader should.
      Thread closer =
          new Thread(() -> PbsLibrary.pbs_volume_close(handle), "hadoop-prio engine close");
      closer.setDaemon(true);
      closer.start();
    }
  }
}
