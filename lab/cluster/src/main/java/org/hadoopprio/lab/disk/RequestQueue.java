// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.tools.trace.DeviceNumber;

/**
 * The kernel's queue of a disk (Linux, Documentation/ABI/stable/sysfs-block), made to be that of a
 * SATA disk with 32 tags. Not thread-safe.
 */
public final class RequestQueue {

  /** The I/O scheduler that the kernel gives such a disk. */
  public static final String MQ_DEADLINE = "mq-deadline";

  private static final String NONE = "none";
  private static final String BFQ = "bfq";

  private static final String SCHEDULER = "scheduler";
  private static final String REQUESTS = "nr_requests";
  private static final String READ_AHEAD = "read_ahead_kb";
  private static final String ASYNC_DEPTH = "async_depth";

  /** The kernel's writeback throttling: the latency of reads that it keeps, in microseconds. */
  private static final String THROTTLING = "wbt_lat_usec";

  private static final String THROTTLING_BY_DEFAULT = "-1";
  private static final String THROTTLING_OFF = "0";

  private static final int TAGS = 32;

  /**
   * What libata's disks have with a scheduler. The kernel gives the virtual disk more each time
   * that a scheduler is attached, because its device was made with more tags than the 32 it has.
   */
  private static final int SCHEDULED_REQUESTS = 2 * TAGS;

  private final Path directory;

  /**
   * A queue.
   *
   * @param directory that of the disk's queue in sysfs
   */
  public RequestQueue(Path directory) {
    this.directory = directory;
  }

  /** The queue of a disk. */
  public static RequestQueue of(DeviceNumber disk) {
    return new RequestQueue(Path.of("/sys/dev/block", disk.toString(), "queue"));
  }

  /**
   * Sets the I/O scheduler, the requests that a disk with 32 tags has with it, and the kernel's
   * default of writeback throttling beside it. What mq-deadline leaves to writes that nobody waits
   * for is the kernel's default again, too.
   *
   * @throws IOException if this kernel has no such scheduler; the message names those it has
   */
  public void scheduler(String name) throws IOException {
    String known = read(SCHEDULER);
    if (!List.of(known.replaceAll("[\\[\\]]", "").split(" +")).contains(name)) {
      throw new IOException("no I/O scheduler " + name + "; this kernel has " + known);
    }
    write(SCHEDULER, name);
    write(REQUESTS, Integer.toString(name.equals(NONE) ? TAGS : SCHEDULED_REQUESTS));
    if (isThere(THROTTLING)) {
      // BFQ has none, but the kernel switches only a default off for it, and no value that was set.
      write(THROTTLING, name.equals(BFQ) ? THROTTLING_OFF : THROTTLING_BY_DEFAULT);
    }
  }

  /**
   * Sets how many writes mq-deadline may have under way at a time, synced ones too, until the
   * scheduler is set again.
   *
   * @throws IOException if another scheduler is in use
   */
  public void asyncDepth(int writes) throws IOException {
    write(asyncDepthFile(), Integer.toString(writes));
  }

  /** Linux 7.0 has moved it from the scheduler's directory to the queue's. */
  private String asyncDepthFile() {
    return isThere(ASYNC_DEPTH) ? ASYNC_DEPTH : "iosched/" + ASYNC_DEPTH;
  }

  /** Sets how much the kernel reads ahead. */
  public void readAhead(ReadAhead readAhead) throws IOException {
    write(READ_AHEAD, Integer.toString(readAhead.kib()));
  }

  /** How much the kernel reads ahead. */
  public ReadAhead readAhead() throws IOException {
    return new ReadAhead(Integer.parseInt(read(READ_AHEAD)));
  }

  /** Its settings, for the record; without those that this kernel does not have. */
  public String describe() throws IOException {
    List<String> settings = new ArrayList<>();
    for (String name :
        List.of(
            SCHEDULER,
            REQUESTS,
            asyncDepthFile(),
            READ_AHEAD,
            "rotational",
            "write_cache",
            THROTTLING)) {
      if (isThere(name)) {
        settings.add(Path.of(name).getFileName() + "=" + read(name));
      }
    }
    return String.join(" ", settings);
  }

  /** A kernel without writeback throttling may have its file all the same, which cannot be read. */
  private boolean isThere(String name) {
    try {
      read(name);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private String read(String name) throws IOException {
    return Files.readString(directory.resolve(name)).strip();
  }

  private void write(String name, String value) throws IOException {
    Path file = directory.resolve(name);
    try {
      Files.writeString(file, value);
    } catch (IOException e) {
      throw new IOException("cannot set " + file + " to " + value, e);
    }
  }
}
