// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import org.hadoopprio.lab.bench.bed.Drives;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.disk.DiskKind;

/** How the drives and their queues are set. */
public enum OwnWorkDrive {
  /** As drives and kernel come: the write cache is on. */
  WRITE_BACK(DiskKind.VIRTUAL),
  /**
   * The write cache is off, and mq-deadline has few writes under way at a time: what {@code hprio
   * doctor} advises where urgent requests wait for what a drive has cached.
   */
  WRITE_THROUGH(DiskKind.VIRTUAL_WRITE_THROUGH) {
    @Override
    void tune(Drives drives) throws IOException {
      drives.asyncDepth(FEW_WRITES);
    }
  };

  /** The doctor's. */
  private static final int FEW_WRITES = 4;

  private final DiskKind kind;

  OwnWorkDrive(DiskKind kind) {
    this.kind = kind;
  }

  DiskKind kind() {
    return kind;
  }

  /** Sets the queues of disks of this kind. */
  void tune(Drives drives) throws IOException {}

  /** The value of the option. */
  @Override
  public String toString() {
    return EnumNames.text(this);
  }
}
