package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The settings of the I/O scheduler of one block device. Stateless, so thread-safe. */
public final class SchedulerSettings {

  private final Path directory;

  /** The settings of the whole disk with that number. */
  public SchedulerSettings(DeviceNumber device) {
    this.directory = Path.of("/sys/dev/block", device.toString(), "queue", "iosched");
  }

  /**
   * Changes a setting.
   *
   * @param name as in sysfs, such as {@code prio_aging_expire}
   * @throws IOException also if the device's scheduler has no such setting
   */
  public void set(String name, long value) throws IOException {
    Path file = directory.resolve(name);
    try {
      Files.writeString(file, Long.toString(value));
    } catch (IOException e) {
      throw new IOException("cannot set " + file + " to " + value, e);
    }
  }
}
