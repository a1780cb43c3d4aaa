// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.Optional;
import org.hadoopprio.disktime.DiskClass;

/**
 * The disk of a {@link DiskSimulation}: a queue of reads and a clock, which begins at 0 and which
 * only {@link #run} moves. For one thread.
 */
public interface SimulatedDisk {

  /** A read, which is known by its identity. Immutable. */
  final class Request {
    private final long offset;
    private final int bytes;
    private final DiskClass diskClass;
    private final boolean sequential;
    private final long since;

    /** A read of some bytes at a place; see the methods. */
    public Request(long offset, int bytes, DiskClass diskClass, boolean sequential, long since) {
      this.offset = offset;
      this.bytes = bytes;
      this.diskClass = diskClass;
      this.sequential = sequential;
      this.since = since;
    }

    /** Its place, in bytes from the begin of the disk. */
    public long offset() {
      return offset;
    }

    /** Its length. */
    public int bytes() {
      return bytes;
    }

    public DiskClass diskClass() {
      return diskClass;
    }

    /** Whether it is one of a stream. */
    public boolean sequential() {
      return sequential;
    }

    /** Since when its reader has waited for it, in nanoseconds since the begin. */
    public long since() {
      return since;
    }
  }

  /** Its size in bytes. */
  long bytes();

  /** A read comes to the disk now; it is within the disk. */
  void read(Request request);

  /**
   * Lets time pass until the next read is answered, but no longer than until some time.
   *
   * @param until nanoseconds since the begin, now or later
   * @return the read; empty if none is answered until then
   */
  Optional<Request> run(long until);

  /** The nanoseconds since the begin. */
  long now();
}
