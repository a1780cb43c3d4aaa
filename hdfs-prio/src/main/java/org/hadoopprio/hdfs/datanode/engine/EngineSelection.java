// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

/** The engine selected for a volume, and the reason. Immutable. */
final class EngineSelection {

  private final Engine engine;
  private final String reason;
  private final boolean mayImprove;

  private EngineSelection(Engine engine, String reason, boolean mayImprove) {
    this.engine = engine;
    this.reason = reason;
    this.mayImprove = mayImprove;
  }

  /** Engine {@code thread} for now; a better one may be possible later. */
  static EngineSelection refused(String reason) {
    return new EngineSelection(Engine.THREAD, reason, true);
  }

  /** Selects the engine for a volume, given the configured one. */
  static EngineSelection of(Engine wanted, PbsLibrary.Info info) {
    switch (wanted) {
      case DIRECT:
        return wanted(wanted, PbsLibrary.text(info.directRefused));
      case NCQ:
        return wanted(wanted, PbsLibrary.text(info.ncqRefused));
      case AUTO:
        return best(info);
      default:
        return new EngineSelection(Engine.THREAD, "wanted", false);
    }
  }

  private static EngineSelection wanted(Engine engine, String refusal) {
    return refusal.isEmpty()
        ? new EngineSelection(engine, "wanted", false)
        : refused(engine + " cannot be used: " + refusal);
  }

  /**
   * {@code ncq} if nothing else brings the priority to the drive; if the kernel does, the I/O
   * scheduler in front of the drive helps as well. {@code direct} on a rotating disk, where it
   * makes one request of a read that zero-copy may split in two. Otherwise zero-copy.
   */
  private static EngineSelection best(PbsLibrary.Info info) {
    String ncqRefusal = PbsLibrary.text(info.ncqRefused);
    String direct = PbsLibrary.text(info.directRefused);
    boolean ncqHelps =
        info.ncqPrioSupported == 1 && info.ncqPrioEnabled != 1 && info.cdlEnabled != 1;
    String ncq;
    if (info.ncqPrioEnabled == 1) {
      ncq = "the kernel itself passes priorities to the drive (ncq_prio_enable)";
    } else if (info.cdlEnabled == 1) {
      ncq = "command duration limits are on (cdl_enable), which exclude NCQ priority";
    } else if (!ncqRefusal.isEmpty()) {
      ncq = "ncq cannot be used: " + ncqRefusal;
    } else if (!ncqHelps) {
      ncq = "the drive has no NCQ priority";
    } else {
      return new EngineSelection(
          Engine.NCQ, "the drive supports NCQ priority, which the kernel does not use", false);
    }
    boolean mayImprove = ncqHelps;
    if (!direct.isEmpty()) {
      return new EngineSelection(
          Engine.THREAD, ncq + "; direct cannot be used: " + direct, mayImprove);
    }
    if (info.rotational == 1) {
      return new EngineSelection(
          Engine.DIRECT,
          ncq + "; it makes one request of each read, which suits a rotating disk",
          mayImprove);
    }
    return new EngineSelection(
        Engine.THREAD, ncq + "; zero-copy is cheaper on a disk that does not rotate", mayImprove);
  }

  Engine engine() {
    return engine;
  }

  String reason() {
    return reason;
  }

  /** Whether a better engine may be possible later, for instance when the helper runs. */
  boolean mayImprove() {
    return mayImprove;
  }
}
