// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.doctor.trace.DeviceNumber;
import org.hadoopprio.lab.disk.WritebackThrottling;

/** The kernel's queue of a disk (Linux, Documentation/ABI/stable/sysfs-block). Not thread-safe. */
final class DiskQueue {

  /** The I/O scheduler. */
  static final String SCHEDULER = "mq-deadline";

  private static final String SCHEDULER_FILE = "scheduler";
  private static final String READ_AHEAD_KB = "128";

  private final Path directory;

  DiskQueue(DeviceNumber device) {
    this(Path.of("/sys/dev/block", device.toString(), "queue"));
  }

  /** For tests, which have another directory. */
  DiskQueue(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes it what all systems have.
   *
   * @throws IOException if the kernel does not have the scheduler
   */
  void set() throws IOException {
    if (!inForce()) {
      Files.writeString(directory.resolve(SCHEDULER_FILE), SCHEDULER);
    }
    WritebackThrottling.setBeside(SCHEDULER, directory);
    if (!read("read_ahead_kb").equals(READ_AHEAD_KB)) {
      Files.writeString(directory.resolve("read_ahead_kb"), READ_AHEAD_KB);
    }
  }

  /** Of several, the one in force is in brackets. */
  private boolean inForce() throws IOException {
    return List.of(read(SCHEDULER_FILE).split(" +")).contains("[" + SCHEDULER + "]");
  }

  private String read(String name) throws IOException {
    return Files.readString(directory.resolve(name)).strip();
  }

  /** Its settings, for the record. */
  String describe() throws IOException {
    List<String> names =
        new ArrayList<>(
            List.of(SCHEDULER_FILE, "nr_requests", "read_ahead_kb", "rotational", "write_cache"));
    if (WritebackThrottling.isIn(directory)) {
      names.add(WritebackThrottling.FILE);
    }
    List<String> settings = new ArrayList<>();
    for (String name : names) {
      settings.add(name + "=" + read(name));
    }
    return String.join(" ", settings);
  }
}
