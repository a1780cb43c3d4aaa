// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.hadoopprio.tools.trace.DeviceNumber;

/** The work of some disks over a period of time, by the kernel's counters. */
public final class DiskLoad {

  /** Of /sys/block/DISK/stat (Documentation/block/stat.rst): io_ticks, in milliseconds. */
  private static final int BUSY_FIELD = 9;

  /** Likewise: read I/Os. */
  private static final int READS_FIELD = 0;

  /** Likewise: read sectors. */
  private static final int READ_SECTORS_FIELD = 2;

  /** Of this size whatever the disk's own sectors are. */
  private static final int SECTOR_BYTES = 512;

  private final Collection<DeviceNumber> devices;
  private final long startMillis;
  private final long startReads;
  private final long startSectors;
  private final long startNanos;

  private DiskLoad(Collection<DeviceNumber> devices) throws IOException {
    this.devices = devices;
    this.startMillis = sum(BUSY_FIELD);
    this.startReads = sum(READS_FIELD);
    this.startSectors = sum(READ_SECTORS_FIELD);
    this.startNanos = System.nanoTime();
  }

  /** Starts observing whole disks, at least one. */
  public static DiskLoad start(Collection<DeviceNumber> devices) throws IOException {
    return new DiskLoad(devices);
  }

  /** The share of the time since the start, 0 to 1, in which a disk had work; the disks' mean. */
  public double busyShare() throws IOException {
    double millis = (System.nanoTime() - startNanos) / 1e6;
    return (sum(BUSY_FIELD) - startMillis) / millis / devices.size();
  }

  /** How many requests read since the start. */
  public long reads() throws IOException {
    return sum(READS_FIELD) - startReads;
  }

  /** How many bytes were read since the start. */
  public long readBytes() throws IOException {
    return (sum(READ_SECTORS_FIELD) - startSectors) * SECTOR_BYTES;
  }

  private long sum(int field) throws IOException {
    long sum = 0;
    for (DeviceNumber device : devices) {
      String stat = Files.readString(Path.of("/sys/dev/block", device.toString(), "stat"));
      sum += Long.parseLong(stat.strip().split(" +", -1)[field]);
    }
    return sum;
  }
}
