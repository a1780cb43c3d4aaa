// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.util.Optional;

/** What a new disk is like, as far as its kind can be so. Immutable. */
public final class DiskSettings {

  private final long bytes;
  private final ReadAhead readAhead;
  private final Drive drive;

  private DiskSettings(long bytes, ReadAhead readAhead, Drive drive) {
    this.bytes = bytes;
    this.readAhead = readAhead;
    this.drive = drive;
  }

  /**
   * The defaults of its kind.
   *
   * @param bytes its size; not used by kinds that share another file system's room
   */
  public static DiskSettings of(long bytes) {
    return new DiskSettings(bytes, null, VirtualDisk.DRIVE);
  }

  /** The same with another size. */
  public DiskSettings withBytes(long other) {
    return new DiskSettings(other, readAhead, drive);
  }

  /** The same with another read-ahead. */
  public DiskSettings withReadAhead(ReadAhead other) {
    return new DiskSettings(bytes, other, drive);
  }

  /** The same as another drive, if it is a virtual disk. */
  public DiskSettings withDrive(Drive other) {
    return new DiskSettings(bytes, readAhead, other);
  }

  /** Its size in bytes. */
  public long bytes() {
    return bytes;
  }

  /** How much the kernel reads ahead; empty for what its kind has by default. */
  public Optional<ReadAhead> readAhead() {
    return Optional.ofNullable(readAhead);
  }

  /** Which drive a virtual disk is. */
  public Drive drive() {
    return drive;
  }
}
