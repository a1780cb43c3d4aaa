package org.hadoopprio.metrics;

/** The attributes of {@code org.hadoopprio:type=IoPriority}. */
public interface PriorityMXBean {

  /** Version of the agent. */
  String getVersion();

  /** Hooks in force, of {@link #getHooksTotal}. */
  int getHooksApplied();

  /** Hooks that apply to what is on this process's class path. */
  int getHooksTotal();

  /** A line per hook: module, name, state, and the reason where it is not in force. */
  String[] getHooks();

  /** Why this process cannot set a thread's I/O priority; empty where it can. */
  String getThreadPriorityUnavailable();

  /** Reads sent with a priority. */
  long getStamped();

  /** Reads served as real-time. */
  long getGrantedRealtime();

  /** Reads served as best-effort because a priority said so. */
  long getGrantedBestEffort();

  /** Reads served as idle. */
  long getGrantedIdle();

  /** Requests that stated a priority. */
  long getAsked();

  /** Requests that asked for more than is granted, and were served at the highest granted. */
  long getClamped();

  /** Requests that asked for more than is granted, and got nothing because the policy says so. */
  long getRejected();

  /** Requests served at a lower class because a cap of the policy was reached. */
  long getCapped();

  /** Requests that a DataNode rule gave a priority. */
  long getRuled();

  /** Priorities that could not be read. */
  long getMalformed();

  /** Real-time reads done at be:0 for want of CAP_SYS_NICE. */
  long getDenied();

  /** Reads whose priority could not be set. */
  long getFailed();

  /** Blocks opened anew because a sequential reader's priority had changed. */
  long getReopened();

  /** Times a real-time read was made to wait because real-time had used more than its share. */
  long getRealtimePaced();

  /** How long these waits took together, in milliseconds. */
  long getRealtimePacedMillis();

  /** Times real-time reads were done at be:0 because real-time had used more than its share. */
  long getRealtimeDemoted();

  /** The DataNode's volumes and their engines; empty where all have {@code thread}. */
  EngineStatus[] getEngines();

  /** The share of disk time real-time is limited to; null until the first real-time read. */
  Double getRealtimeShare();
}
