package org.hadoopprio.hdfs.datanode.engine;

/** The engine for a volume, and why. Immutable. */
final class EngineSelection {

  private final Engine engine;
  private final String reason;
  private final boolean mayImprove;

  private EngineSelection(Engine engine, String reason, boolean mayImprove) {
    this.engine = engine;
    this.reason = reason;
    this.mayImprove = mayImprove;
  }

  /** Nothing but stock HDFS, for the time being. */
  static EngineSelection refused(String reason) {
    return new EngineSelection(Engine.THREAD, reason, true);
  }

  /** What is best for a volume, given what is wanted. */
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
   * {@code ncq} where it alone brings the priority to the drive: where the kernel does it itself,
   * the I/O scheduler in front of the drive helps too. {@code direct} on a spindle, where it makes
   * one request of a read that zero-copy may split in two. Zero-copy elsewhere.
   */
  private static EngineSelection best(PbsLibrary.Info info) {
    String ncqRefusal = PbsLibrary.text(info.ncqRefused);
    String direct = PbsLibrary.text(info.directRefused);
    boolean ncqHelps = info.ncqPrioSupported == 1 && info.ncqPrioEnabled != 1;
    String ncq;
    if (info.ncqPrioEnabled == 1) {
      ncq = "the kernel brings priorities to the drive itself (ncq_prio_enable)";
    } else if (!ncqRefusal.isEmpty()) {
      ncq = "ncq cannot be used: " + ncqRefusal;
    } else if (!ncqHelps) {
      ncq = "the drive has no NCQ priority";
    } else {
      return new EngineSelection(
          Engine.NCQ, "the drive knows NCQ priority, which the kernel does not use", false);
    }
    boolean mayImprove = ncqHelps;
    if (!direct.isEmpty()) {
      return new EngineSelection(
          Engine.THREAD, ncq + "; direct cannot be used: " + direct, mayImprove);
    }
    if (info.rotational == 1) {
      return new EngineSelection(
          Engine.DIRECT, ncq + "; a rotating disk does one request for each read", mayImprove);
    }
    return new EngineSelection(
        Engine.THREAD, ncq + "; on a disk that does not rotate zero-copy is cheaper", mayImprove);
  }

  Engine engine() {
    return engine;
  }

  String reason() {
    return reason;
  }

  /** Whether something better may be had later, such as when the helper runs. */
  boolean mayImprove() {
    return mayImprove;
  }
}
