// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The duration limits that reads of a volume use, and the reason. Immutable. */
final class LimitSelection {

  /** Asks a volume's drive for its descriptors. */
  @FunctionalInterface
  interface Drive {
    /**
     * Asks.
     *
     * @throws IOException with the reason why they are not known
     */
    PbsLibrary.Limits ask() throws IOException;
  }

  /** The policies that make a drive abort other commands, too (SPC-6, "T2 CDL descriptor"). */
  private static final int ABORT_RECOVERY = 0xe;

  private static final int ABORT = 0xf;

  /**
   * The policy with which a drive gives up a command. The kernel ends that of a SAS drive alone. A
   * SATA drive it closes until all commands have ended (libata's error handling), so that one late
   * read makes all others late: a command with sense data goes to error handling, with no fast
   * drain (drivers/ata/libata-core.c, ata_qc_complete; libata-eh.c, ata_qc_schedule_eh). Nothing
   * new is sent then (libata-scsi.c, __ata_scsi_queuecmd; drivers/scsi/scsi_lib.c, scsi_queue_rq),
   * the handler waits for all commands (scsi_error.c, scsi_error_handler), reads log 0Fh
   * (libata-sata.c, ata_eh_get_ncq_success_sense) and opens the disk again
   * (scsi_restart_operations). That is for a whole SCSI host, with AHCI one port. With SAS the
   * sense comes with the status, and the command ends alone (scsi_check_sense in
   * scsi_decide_disposition). lab/wire, group e, shows it.
   */
  private static final int UNAVAILABLE = 0xd;

  private static final int UNKNOWN = -1;

  /** 0xffff times the largest unit of a descriptor is less; it keeps sums from overflowing. */
  private static final long GREATEST_NANOS = TimeUnit.DAYS.toNanos(1);

  /** That of a volume that is not open. */
  static final LimitSelection NOT_OPEN = none("the volume is not open", true);

  private final DurationLimits limits;
  private final String reason;
  private final boolean expected;

  private LimitSelection(DurationLimits limits, String reason, boolean expected) {
    this.limits = limits;
    this.reason = reason;
    this.expected = expected;
  }

  private static LimitSelection none(String reason, boolean expected) {
    return new LimitSelection(DurationLimits.OFF, "none: " + reason, expected);
  }

  /**
   * Selects the limits for a volume.
   *
   * @param wanted the configured ones
   * @param engine the volume's engine
   */
  static LimitSelection of(
      DurationLimits wanted, Engine engine, PbsLibrary.Info info, Drive drive) {
    boolean auto = wanted.equals(DurationLimits.AUTO);
    if (wanted.isEmpty() && !auto) {
      return none("switched off", true);
    }
    if (engine != Engine.DIRECT) {
      return none("only engine direct uses them", auto);
    }
    if (info.ncqPrioEnabled == 1) {
      return none(
          "NCQ priority is on (ncq_prio_enable), which excludes command duration limits", auto);
    }
    if (info.cdlEnabled == 0) {
      return none("command duration limits are off (cdl_enable)", auto);
    }
    if (auto && info.cdlEnabled != 1) {
      return none("the kernel has found no command duration limits", true);
    }
    if (info.hints != 1) {
      return none("the kernel takes no hints with requests, which needs Linux 6.5", false);
    }
    return auto ? asked(drive) : new LimitSelection(wanted, wanted + ", as configured", true);
  }

  private static LimitSelection asked(Drive drive) {
    try {
      return usable(drive.ask());
    } catch (IOException e) {
      return none(
          e.getMessage()
              + "; the limits can be stated in "
              + EngineKeys.DURATION_LIMITS.name()
              + ", \"pbs cdl\" shows them",
          false);
    }
  }

  private static LimitSelection usable(PbsLibrary.Limits drive) {
    long[] nanos = new long[DurationLimits.DESCRIPTORS + 1];
    List<String> refused = new ArrayList<>();
    for (int index = 1; index <= DurationLimits.DESCRIPTORS; index++) {
      long least = least(drive, index);
      String problem = least == 0 ? "" : problem(drive, index);
      if (!problem.isEmpty()) {
        refused.add("descriptor " + index + " is not used, " + problem);
      } else {
        nanos[index] = least;
      }
    }
    DurationLimits limits = DurationLimits.of(nanos);
    String rest = refused.isEmpty() ? "" : "; " + String.join("; ", refused);
    return limits.isEmpty()
        ? none("the drive has no limit that can be used" + rest, false)
        : new LimitSelection(limits, limits + ", as the drive says" + rest, refused.isEmpty());
  }

  /** The shortest limit of a descriptor, in nanoseconds; 0 if it has none. */
  private static long least(PbsLibrary.Limits drive, int index) {
    long least = 0;
    for (int time = 0; time < PbsLibrary.DURATION_TIMES; time++) {
      long nanos = drive.nanos(index, time);
      if (nanos != 0 && (least == 0 || nanos < least)) {
        least = nanos;
      }
    }
    return least;
  }

  private static String problem(PbsLibrary.Limits drive, int index) {
    if (!drive.odd(index).isEmpty()) {
      return drive.odd(index);
    }
    for (int time = 0; time < PbsLibrary.DURATION_TIMES; time++) {
      long nanos = drive.nanos(index, time);
      int policy = drive.policy(index, time);
      if (nanos < 0 || nanos > GREATEST_NANOS) {
        return "its limit of " + Long.toUnsignedString(nanos) + " ns is not plausible";
      }
      if (nanos != 0 && policy == UNKNOWN) {
        return "the kernel does not tell its policy, which could abort other commands";
      }
      if (nanos != 0 && (policy == ABORT || policy == ABORT_RECOVERY)) {
        return "its policy aborts other commands";
      }
      if (nanos != 0 && policy == UNAVAILABLE && drive.ata == 1) {
        return "with its policy a SATA drive is closed to all whenever it gives up a read";
      }
    }
    return "";
  }

  /** Empty if reads of the volume have no hints. */
  DurationLimits limits() {
    return limits;
  }

  /** The limits and where they are from, or why there are none. */
  String reason() {
    return reason;
  }

  /** Whether this is what the configuration and the volume let expect, and needs no warning. */
  boolean isExpected() {
    return expected;
  }
}
