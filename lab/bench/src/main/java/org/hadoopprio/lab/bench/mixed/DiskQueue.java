// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.doctor.trace.DeviceNumber;
import org.hadoopprio.lab.disk.WritebackThrottling;

/** The kernel's queue of a disk (Linux, Documentation/ABI/stable/sysfs-block). Not thread-safe. */
final class DiskQueue {

  /** The I/O scheduler that all systems have which do not ask for another one. */
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

  /** Makes it what all systems begin with. */
  void reset() throws IOException {
    setScheduler(SCHEDULER);
    if (!read("read_ahead_kb").equals(READ_AHEAD_KB)) {
      Files.writeString(directory.resolve("read_ahead_kb"), READ_AHEAD_KB);
    }
  }

  /**
   * Switches to an I/O scheduler until the result is closed.
   *
   * @throws IOException if the kernel has no such scheduler; the message names those it has
   */
  Closeable use(String scheduler) throws IOException {
    setScheduler(scheduler);
    return () -> setScheduler(SCHEDULER);
  }

  /**
   * Switches to each of some I/O schedulers and back, to see whether there are such ones.
   *
   * @throws IOException naming one that there is not
   */
  void require(Iterable<String> schedulers) throws IOException {
    for (String scheduler : schedulers) {
      use(scheduler).close();
    }
  }

  private void setScheduler(String scheduler) throws IOException {
    if (!inForce(scheduler)) {
      switchTo(scheduler);
    }
    WritebackThrottling.setBeside(scheduler, directory);
  }

  private void switchTo(String scheduler) throws IOException {
    String offered = read(SCHEDULER_FILE).replaceAll("[\\[\\]]", "");
    IOException refused = null;
    try {
      // The kernel loads the module of a scheduler that it does not list yet.
      Files.writeString(directory.resolve(SCHEDULER_FILE), scheduler);
    } catch (IOException e) {
      refused = e;
    }
    if (!inForce(scheduler)) {
      throw new IOException(
          String.format(
              "the kernel has no I/O scheduler %s for this disk: it offers %s; load its module"
                  + " (modprobe %s), or leave out the systems that need it",
              scheduler, offered, scheduler),
          refused);
    }
  }

  /** Of several, the one in force is in brackets. */
  private boolean inForce(String scheduler) throws IOException {
    return List.of(read(SCHEDULER_FILE).split(" +")).contains("[" + scheduler + "]");
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
