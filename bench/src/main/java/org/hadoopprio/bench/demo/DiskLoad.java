package org.hadoopprio.bench.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.hadoopprio.bench.disk.DeviceNumber;

/** How busy some disks were over a stretch of time, from the kernel's own count. */
final class DiskLoad {

  /** Of /sys/block/DISK/stat (Documentation/block/stat.rst): io_ticks, in milliseconds. */
  private static final int BUSY_FIELD = 9;

  private final Collection<DeviceNumber> devices;
  private final long startMillis;
  private final long startNanos;

  private DiskLoad(Collection<DeviceNumber> devices) throws IOException {
    this.devices = devices;
    this.startMillis = busyMillis();
    this.startNanos = System.nanoTime();
  }

  /** Begins to look at some whole disks, one at least. */
  static DiskLoad start(Collection<DeviceNumber> devices) throws IOException {
    return new DiskLoad(devices);
  }

  /** The share of the time since the start, 0 to 1, in which a disk had work; the disks' mean. */
  double busyShare() throws IOException {
    double millis = (System.nanoTime() - startNanos) / 1e6;
    return (busyMillis() - startMillis) / millis / devices.size();
  }

  private long busyMillis() throws IOException {
    long sum = 0;
    for (DeviceNumber device : devices) {
      String stat = Files.readString(Path.of("/sys/dev/block", device.toString(), "stat"));
      sum += Long.parseLong(stat.strip().split(" +", -1)[BUSY_FIELD]);
    }
    return sum;
  }
}
