package org.hadoopprio.lab.bench.overhead;

/** How much is measured of the scheduler of disk time. Immutable. */
final class SchedulerScale {

  /** Nothing. */
  static final SchedulerScale NONE = new SchedulerScale(0, 0, 0, 0, 1);

  /** How many DataXceivers a DataNode may have by default (dfs.datanode.max.transfer.threads). */
  static final int DATA_XCEIVERS = 4096;

  private final int rounds;
  private final int blocks;
  private final double blockSeconds;
  private final int heldReads;
  private final int fileMebibytes;

  /**
   * Says how much.
   *
   * @param rounds how many times the DataNodes are started anew
   * @param blocks of each mode for one load in one round; a third of them, but not less than one,
   *     beside held reads, because it takes many seconds to open and to end these
   * @param blockSeconds how long a block is; three times as long beside held reads
   * @param heldReads how many reads a client holds open
   * @param fileMebibytes what a stream reads again and again, in MiB
   */
  SchedulerScale(int rounds, int blocks, double blockSeconds, int heldReads, int fileMebibytes) {
    this.rounds = rounds;
    this.blocks = blocks;
    this.blockSeconds = blockSeconds;
    this.heldReads = heldReads;
    this.fileMebibytes = fileMebibytes;
  }

  /** The same with another number of rounds. */
  SchedulerScale rounds(int count) {
    return new SchedulerScale(count, blocks, blockSeconds, heldReads, fileMebibytes);
  }

  int rounds() {
    return rounds;
  }

  /** In how many of the rounds a load is measured: half of them with held reads. */
  int rounds(SchedulerLoad load) {
    return load.besideHeldReads() ? (rounds + 1) / 2 : rounds;
  }

  int blocks(SchedulerLoad load) {
    return load.besideHeldReads() ? Math.max(1, blocks / 3) : blocks;
  }

  /** Longer beside held reads: the client pauses before, and takes some time to get going. */
  double blockSeconds(SchedulerLoad load) {
    return load.besideHeldReads() ? 3 * blockSeconds : blockSeconds;
  }

  int heldReads() {
    return heldReads;
  }

  int fileBytes() {
    return fileMebibytes << 20;
  }

  /** What makes results comparable. */
  @Override
  public String toString() {
    return blocks
        + " blocks of "
        + blockSeconds
        + " s per mode, "
        + heldReads
        + " held reads, files of "
        + fileMebibytes
        + " MiB";
  }
}
