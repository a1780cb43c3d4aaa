// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.jmx;

import org.hadoopprio.metrics.EngineStatus;
import org.hadoopprio.metrics.PolicyStatus;
import org.hadoopprio.metrics.VolumeStatus;

/** The attributes of {@code org.hadoopprio:type=IoPriority}. */
public interface PriorityMXBean {

  /** Version of the agent. */
  String getVersion();

  /** Hooks in force, out of {@link #getHooksTotal}. */
  int getHooksApplied();

  /** Hooks of the modules whose classes this process uses. */
  int getHooksTotal();

  /** One line for each hook: module, name, state, and the reason if it is not in force. */
  String[] getHooks();

  /** The modules that are switched off while this process runs, and why; empty for on. */
  String getOff();

  /**
   * Whether this RegionServer only observes: its calls are served as in stock HBase, and what would
   * be done is counted.
   */
  boolean isObserving();

  /** The reason why this process cannot set a thread's I/O priority; empty if it can. */
  String getThreadPriorityUnavailable();

  /**
   * One line for each system call that the kernel refuses this process, with the reason, as far as
   * it was made; empty for none.
   */
  String[] getRefusedCalls();

  /** Reads and writes sent with a priority. */
  long getStamped();

  /** Reads served as real-time. */
  long getGrantedRealtime();

  /** Reads served as best-effort because of a priority. */
  long getGrantedBestEffort();

  /** Reads served as idle. */
  long getGrantedIdle();

  /** Requests that stated a priority. */
  long getAsked();

  /** Requests for a more urgent priority than allowed, served at the highest allowed. */
  long getClamped();

  /** Requests for a more urgent priority than allowed, rejected because of the policy's mode. */
  long getRejected();

  /** Requests served at a lower priority than allowed because a cap of the policy was reached. */
  long getCapped();

  /** Requests served at no more than normal because the user's groups were not known, or none. */
  long getGroupsUnknown();

  /** Requests that named a tenant that the policy does not let them name. */
  long getTenantsRefused();

  /** Requests without a priority to which a rule, or a highest priority below normal, gave one. */
  long getRuled();

  /** Reads of a DataNode, of at most 256 KiB, that had a latency target. */
  long getTargeted();

  /** Those of them that were answered after the time that was left of their target. */
  long getLate();

  /** Reads that would have missed their latency target, and that this DataNode has not done. */
  long getRefused();

  /** How often a DataNode was too late for a read of this client, which has asked another one. */
  long getElsewhere();

  /** Malformed priorities. */
  long getMalformed();

  /** Real-time reads done at be:0 because the kernel refuses real-time to the process. */
  long getDenied();

  /** Priorities that could not be set and hooks that failed; the read continued. */
  long getFailed();

  /** Sequential reads that reopened their block after a change of priority. */
  long getReopened();

  /** Waits of real-time reads because real-time had used more than its share. */
  long getRealtimePaced();

  /** The total duration of these waits, in milliseconds. */
  long getRealtimePacedMillis();

  /** Pieces of short-circuit reads that a DataNode has let in. */
  long getLocalReads();

  /** Pieces of short-circuit reads that this client read at once because it could not ask. */
  long getLocalUnasked();

  /** Connections of short-circuit readers that this DataNode has closed or not accepted. */
  long getLocalRefused();

  /** Turns of short-circuit readers that this DataNode has ended: the reader gave no sign. */
  long getLocalLost();

  /** The socket at which short-circuit readers ask this DataNode; empty if there is none. */
  String getLocalSocket();

  /** The DataNode's volumes and their engines; empty if all have {@code thread}. */
  EngineStatus[] getEngines();

  /**
   * The DataNode's volumes and the scheduler of each one's disk time; empty until the DataNode has
   * reached a NameNode.
   */
  VolumeStatus[] getVolumes();

  /** The open regions of a RegionServer that have the coprocessor; 0 in other processes. */
  int getRegions();

  /** The policies in force in this process's servers; empty in a client. */
  PolicyStatus[] getPolicies();

  /**
   * The share of disk time to which real-time reads are limited; null where there is no DataNode.
   */
  Double getRealtimeShare();
}
