// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.trace;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One request that the block layer issued to a device, or that the device completed: an event
 * block_rq_issue or block_rq_complete. Immutable.
 */
public final class BlockTraceEvent {

  /** The event as the kernel prints it; kernels before 6.11 leave the priority out. */
  private static final Pattern LINE =
      Pattern.compile(
          "\\s*.*-(?<pid>\\d+)\\s+(?:\\(\\s*[-\\d]+\\)\\s+)?\\[\\d+\\]\\s+(?:\\S+\\s+)?"
              + "(?<time>\\d+\\.\\d+): block_rq_(?<event>issue|complete): (?<major>\\d+),(?<minor>\\d+) (?<rwbs>\\S+)"
              + " (?:(?<bytes>\\d+) )?\\(.*?\\) (?<sector>\\d+) \\+ (?<sectors>\\d+)"
              + " (?:(?<priority>\\w+,\\d+,\\d+) )?\\[(?<comm>.*)\\]");

  private static final int SECTOR_BYTES = 512;

  private final boolean completion;
  private final double seconds;
  private final DeviceNumber device;
  private final String operation;
  private final long bytes;
  private final long sector;
  private final long sectors;
  private final Optional<String> priority;
  private final int pid;
  private final String comm;

  private BlockTraceEvent(Matcher line) {
    this.completion = line.group("event").equals("complete");
    this.seconds = Double.parseDouble(line.group("time"));
    this.device =
        new DeviceNumber(
            Integer.parseInt(line.group("major")), Integer.parseInt(line.group("minor")));
    this.operation = line.group("rwbs");
    this.sector = Long.parseUnsignedLong(line.group("sector"));
    this.sectors = Long.parseLong(line.group("sectors"));
    String length = line.group("bytes");
    this.bytes = length == null ? sectors * SECTOR_BYTES : Long.parseLong(length);
    this.priority = Optional.ofNullable(line.group("priority"));
    this.pid = Integer.parseInt(line.group("pid"));
    this.comm = line.group("comm");
  }

  /** Reads a line of a trace; empty for a line that is none of these events. */
  public static Optional<BlockTraceEvent> parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches() ? Optional.of(new BlockTraceEvent(matcher)) : Optional.empty();
  }

  /** Whether the device has completed the request; else it was sent to the device. */
  public boolean isCompletion() {
    return completion;
  }

  /** When, in seconds of the trace's clock, which is that of {@link System#nanoTime}. */
  public double seconds() {
    return seconds;
  }

  /** The whole disk the request went to. */
  public DeviceNumber device() {
    return device;
  }

  /**
   * The kernel's letters for the operation: {@code R} read, {@code W} write, {@code D} discard,
   * {@code N} none, a leading {@code F} for a flush before it; then {@code F} force unit access,
   * {@code A} read-ahead, {@code S} synchronous, {@code M} metadata.
   */
  public String operation() {
    return operation;
  }

  /** Whether data is read. */
  public boolean isRead() {
    return operation.startsWith("R");
  }

  /** Whether data is written. */
  public boolean isWrite() {
    return operation.startsWith("W") || operation.startsWith("FW");
  }

  /** The request's length in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Its first sector, in units of 512 bytes; of a flush's completion -1. */
  public long sector() {
    return sector;
  }

  /** Its length in units of 512 bytes. */
  public long sectors() {
    return sectors;
  }

  /**
   * The priority as the kernel prints it, class, hint and level: {@code rt,0,3}; empty where the
   * kernel does not print it.
   */
  public Optional<String> priority() {
    return priority;
  }

  /** The thread that was running when the request was issued; it may be a kernel worker. */
  public int pid() {
    return pid;
  }

  /** That thread's name; of a completion its error, 0 for none. */
  public String comm() {
    return comm;
  }

  @Override
  public String toString() {
    return String.format(
        "%.6f %s %s %d+%d %s [%s-%d]",
        seconds, device, operation, sector, sectors, priority.orElse("?"), comm, pid);
  }
}
