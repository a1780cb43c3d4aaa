package org.hadoopprio.metrics;

/** How real-time reads of one volume are done, and how they went. Immutable. */
public final class EngineStatus {

  private final String volume;
  private final String wanted;
  private final String engine;
  private final String reason;
  private final long reads;
  private final long cached;
  private final long fallbacks;
  private final long raised;

  /** For the meaning of each value see its getter. */
  public EngineStatus(
      String volume,
      String wanted,
      String engine,
      String reason,
      long reads,
      long cached,
      long fallbacks,
      long raised) {
    this.volume = volume;
    this.wanted = wanted;
    this.engine = engine;
    this.reason = reason;
    this.reads = reads;
    this.cached = cached;
    this.fallbacks = fallbacks;
    this.raised = raised;
  }

  /** The volume's directory. */
  public String getVolume() {
    return volume;
  }

  /** The engine the configuration asks for. */
  public String getWanted() {
    return wanted;
  }

  /** The engine in force. */
  public String getEngine() {
    return engine;
  }

  /** Why it is this one. */
  public String getReason() {
    return reason;
  }

  /** Reads, of 260 KiB at most, that the engine has done. */
  public long getReads() {
    return reads;
  }

  /** Reads that were served from the page cache, with no work for the engine. */
  public long getCached() {
    return cached;
  }

  /** Reads that were done plainly because the wanted engine could not. */
  public long getFallbacks() {
    return fallbacks;
  }

  /** Reads that engine ncq has sent again at high priority. */
  public long getRaised() {
    return raised;
  }
}
