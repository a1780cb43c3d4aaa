// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.EngineStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of one volume: the configured one, the one in force, the reason, and the counts of its
 * reads. Thread-safe.
 *
 * <p>The volume is opened on another thread. Until it is open, or if opening it fails, stock HDFS
 * code reads. A failure is not final: the volume is opened again after a while if real-time reads
 * arrive.
 */
final class VolumeEngine {

  private static final Logger LOG = LoggerFactory.getLogger(VolumeEngine.class);

  /**
   * After this many reads in a row that the engine could not do, the volume is considered faulty.
   */
  static final int FAILURES_IN_A_ROW = 10;

  static final long FIRST_RETRY_MILLIS = TimeUnit.SECONDS.toMillis(5);
  static final long LAST_RETRY_MILLIS = TimeUnit.SECONDS.toMillis(60);

  /** Any; only that it is always the same matters, for a fault to show again. */
  private static final long SEED = 1;

  /** Opens a volume with the native library. */
  @FunctionalInterface
  interface Opener {
    NativeVolume open(Path directory) throws IOException;
  }

  /** The state in force; replaced as a whole. */
  private static final class State {
    final Engine engine;
    final String reason;
    final NativeVolume volume;
    final LimitSelection limits;

    /** That of reads which are answered in any case; null without limits. */
    final LimitChoice choice;

    /**
     * That of reads which may fail: to them an early end counts for an answer. Null without limits.
     */
    final LimitChoice choiceIfMayFail;

    /** The time to try for a better engine, in milliseconds of the clock; -1 for never. */
    final long retryAt;

    State(Engine engine, String reason, NativeVolume volume, LimitSelection limits, long retryAt) {
      this.engine = engine;
      this.reason = reason;
      this.volume = volume;
      this.limits = limits;
      boolean limited = volume != null && !limits.limits().isEmpty();
      this.choice = limited ? new LimitChoice(limits.limits(), SEED) : null;
      this.choiceIfMayFail = limited ? new LimitChoice(limits.limits(), SEED) : null;
      this.retryAt = retryAt;
    }
  }

  private final Path directory;
  private final Engine wanted;
  private final DurationLimits wantedLimits;
  private final Opener opener;
  private final Executor background;
  private final LongSupplier clockMillis;

  private final AtomicBoolean opening = new AtomicBoolean();
  private final AtomicInteger failuresInARow = new AtomicInteger();

  /** One bit for each {@code enum pbs_reason} that has been logged. */
  private final AtomicLong loggedReasons = new AtomicLong();

  private final LongAdder reads = new LongAdder();
  private final LongAdder cached = new LongAdder();
  private final LongAdder fallbacks = new LongAdder();
  private final LongAdder hinted = new LongAdder();
  private final LongAdder expired = new LongAdder();

  private volatile State state;

  private volatile long retryMillis = FIRST_RETRY_MILLIS;

  /**
   * Makes the engine of the volume in a directory.
   *
   * @param wantedLimits the configured duration limits
   * @param background the executor that opens the volume
   * @param clockMillis a monotonic clock, in milliseconds
   */
  VolumeEngine(
      Path directory,
      Engine wanted,
      DurationLimits wantedLimits,
      Opener opener,
      Executor background,
      LongSupplier clockMillis) {
    this.directory = directory;
    this.wanted = wanted;
    this.wantedLimits = wantedLimits;
    this.opener = opener;
    this.background = background;
    this.clockMillis = clockMillis;
    this.state =
        wanted == Engine.THREAD
            ? stock("wanted", -1)
            : stock("not opened yet", clockMillis.getAsLong());
  }

  private static State stock(String reason, long retryAt) {
    return new State(Engine.THREAD, reason, null, LimitSelection.NOT_OPEN, retryAt);
  }

  /** Starts to open the volume if that is due, and does not wait for it. */
  void openIfDue() {
    State now = state;
    if (now.retryAt >= 0
        && clockMillis.getAsLong() >= now.retryAt
        && opening.compareAndSet(false, true)) {
      try {
        background.execute(this::openInBackground);
      } catch (RuntimeException | Error e) {
        opening.set(false);
        throw e;
      }
    }
  }

  private void openInBackground() {
    try {
      // A thread that serves a real-time read may have created this one, which then inherits its
      // priority.
      ThreadIoPriority.settle(null);
      open();
    } finally {
      opening.set(false);
    }
  }

  private void open() {
    NativeVolume volume = null;
    EngineSelection selection;
    LimitSelection limits = LimitSelection.NOT_OPEN;
    try {
      volume = opener.open(directory);
      selection = EngineSelection.of(wanted, volume.info());
      limits =
          LimitSelection.of(wantedLimits, selection.engine(), volume.info(), volume::askLimits);
    } catch (IOException | RuntimeException | Error e) {
      selection = EngineSelection.refused(e.getMessage() == null ? e.toString() : e.getMessage());
    }
    State before = state;
    boolean changed =
        before.engine != selection.engine() || !before.reason.equals(selection.reason());
    long retryAt = -1;
    if (changed) {
      // The reason has changed, so the problem may be solved soon: try again early.
      retryMillis = FIRST_RETRY_MILLIS;
    }
    if (selection.mayImprove()) {
      retryAt = clockMillis.getAsLong() + retryMillis;
      retryMillis = Math.min(2 * retryMillis, LAST_RETRY_MILLIS);
    }
    NativeVolume used = selection.engine() == Engine.THREAD ? null : volume;
    failuresInARow.set(0);
    state = new State(selection.engine(), selection.reason(), used, limits, retryAt);
    if (volume != null && used == null) {
      volume.retire();
    }
    if (before.volume != null) {
      before.volume.retire();
    }
    if (changed) {
      log(selection);
    }
    if (!before.limits.reason().equals(limits.reason())) {
      log(limits);
    }
  }

  private void log(LimitSelection limits) {
    if (!limits.isExpected()) {
      LOG.warn("Command duration limits of volume {}: {}", directory, limits.reason());
    } else if (!limits.limits().isEmpty()) {
      LOG.info("Command duration limits of volume {}: {}", directory, limits.reason());
    }
  }

  private void log(EngineSelection selection) {
    if (selection.engine() == wanted || wanted == Engine.AUTO) {
      LOG.info(
          "Real-time reads of volume {} go through engine {} (wanted: {}): {}",
          directory,
          selection.engine(),
          wanted,
          selection.reason());
    } else {
      LOG.warn(
          "Real-time reads of volume {} go through engine {}, not {}: {}",
          directory,
          selection.engine(),
          wanted,
          selection.reason());
    }
  }

  /**
   * Opens a replica's file for one read.
   *
   * @param descriptor the number of an open descriptor of the file, which the caller still owns
   * @param end the end of the read in the file, in bytes; exclusive
   * @return null if stock HDFS code is to read the file
   */
  EngineFile open(int descriptor, long end) {
    openIfDue();
    return open(state, descriptor, end, null);
  }

  /**
   * Opens a replica's file for a read with a latency target.
   *
   * @param read counts the target
   * @param mayRefuse whether the client may go elsewhere when the drive gives up
   * @return null if stock HDFS code is to read the file
   */
  EngineFile open(int descriptor, long end, EngineRead read, boolean mayRefuse) {
    openIfDue();
    State now = state;
    LimitChoice choice = mayRefuse ? now.choiceIfMayFail : now.choice;
    return open(
        now, descriptor, end, choice == null ? null : new ReadHints(choice, read, mayRefuse));
  }

  /** Whether reads with a latency target use duration limits. */
  boolean hasLimits() {
    openIfDue();
    return state.choice != null;
  }

  private EngineFile open(State now, int descriptor, long end, ReadHints hints) {
    if (now.volume != null) {
      ReadBuffers.Buffer buffer = ReadBuffers.take();
      long handle = now.volume.open(descriptor, buffer);
      if (handle != 0) {
        return new EngineFile(this, now.engine, now.volume, handle, buffer, end, hints);
      }
      ReadBuffers.put(buffer);
    }
    if (wanted != Engine.AUTO && wanted != Engine.THREAD) {
      fallbacks.increment();
    }
    return null;
  }

  /** The engine in force. */
  Engine engine() {
    return state.engine;
  }

  /** Counts a read that the engine has done. */
  void readDone() {
    reads.increment();
    succeeded();
  }

  /** Counts a request with a hint. */
  void readHinted() {
    hinted.increment();
  }

  /** Counts a request that the drive ended for its duration limit; the volume is well. */
  void readExpired() {
    expired.increment();
    succeeded();
  }

  /** Counts a read that was entirely in the page cache, which says nothing about the engine. */
  void readFromCache() {
    cached.increment();
  }

  private void succeeded() {
    if (failuresInARow.get() != 0) {
      failuresInARow.set(0);
    }
    if (retryMillis != FIRST_RETRY_MILLIS && state.retryAt < 0) {
      retryMillis = FIRST_RETRY_MILLIS;
    }
  }

  /**
   * Counts a read that the engine could not do and stock HDFS code did.
   *
   * @param volume the volume with which the read was tried
   * @param reason {@code enum pbs_reason}
   * @param text the reason in text form
   */
  void readFellBack(NativeVolume volume, int reason, String text) {
    fallbacks.increment();
    long bit = 1L << reason;
    if ((loggedReasons.getAndUpdate(logged -> logged | bit) & bit) == 0) {
      LOG.warn(
          "Engine {} could not do a read of volume {}; stock HDFS code did it. This reason is"
              + " logged once: {}",
          state.engine,
          directory,
          text);
    }
    if (FallbackReason.isOfOneFile(reason)) {
      return;
    }
    int limit = FallbackReason.isSlow(reason) ? 1 : FAILURES_IN_A_ROW;
    if (failuresInARow.incrementAndGet() >= limit && opening.compareAndSet(false, true)) {
      try {
        giveUp(volume, text);
      } finally {
        opening.set(false);
      }
    }
  }

  private void giveUp(NativeVolume volume, String text) {
    State now = state;
    if (now.volume != volume) {
      return;
    }
    String reason = now.engine + " failed " + failuresInARow.get() + " times in a row: " + text;
    state = stock(reason, clockMillis.getAsLong() + retryMillis);
    LOG.warn(
        "Real-time reads of volume {} go through engine thread for {} s: {}",
        directory,
        TimeUnit.MILLISECONDS.toSeconds(retryMillis),
        reason);
    retryMillis = Math.min(2 * retryMillis, LAST_RETRY_MILLIS);
    volume.retire();
  }

  /** The status for JMX. */
  EngineStatus status() {
    State now = state;
    return new EngineStatus(
        directory.toString(),
        wanted.toString(),
        now.engine.toString(),
        now.reason,
        reads.sum(),
        cached.sum(),
        fallbacks.sum(),
        now.limits.reason(),
        hinted.sum(),
        expired.sum());
  }
}
