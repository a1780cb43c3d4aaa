// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

/** The engine of one volume and the counts of its real-time reads. Immutable. */
public final class EngineStatus {

  private final String volume;
  private final String wanted;
  private final String engine;
  private final String reason;
  private final long reads;
  private final long cached;
  private final long fallbacks;
  private final String durationLimits;
  private final long hinted;
  private final long expired;

  /** Makes a status; the getters describe the values. */
  public EngineStatus(
      String volume,
      String wanted,
      String engine,
      String reason,
      long reads,
      long cached,
      long fallbacks,
      String durationLimits,
      long hinted,
      long expired) {
    this.volume = volume;
    this.wanted = wanted;
    this.engine = engine;
    this.reason = reason;
    this.reads = reads;
    this.cached = cached;
    this.fallbacks = fallbacks;
    this.durationLimits = durationLimits;
    this.hinted = hinted;
    this.expired = expired;
  }

  /** The volume's directory. */
  public String getVolume() {
    return volume;
  }

  /** The engine in the configuration. */
  public String getWanted() {
    return wanted;
  }

  /** The engine in force. */
  public String getEngine() {
    return engine;
  }

  /** The reason why this engine is in force. */
  public String getReason() {
    return reason;
  }

  /** Reads of at most 260 KiB that the engine has done. */
  public long getReads() {
    return reads;
  }

  /** Reads that were served from the page cache without the engine. */
  public long getCached() {
    return cached;
  }

  /** Reads that were done by stock HDFS code because the configured engine could not do them. */
  public long getFallbacks() {
    return fallbacks;
  }

  /** The command duration limits in use and where they are from, or why there are none. */
  public String getDurationLimits() {
    return durationLimits;
  }

  /** Requests to the drive that named a duration limit. */
  public long getHinted() {
    return hinted;
  }

  /** Requests that the drive ended without data because of a duration limit. */
  public long getExpired() {
    return expired;
  }
}
