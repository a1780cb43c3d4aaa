// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoRole;

/**
 * This process's counters, exposed as the MXBean {@code org.hadoopprio:type=IoPriority} and so in
 * {@code /jmx} of every Hadoop and HBase daemon.
 */
public final class PriorityMetrics {

  private static final List<NamedCounter> COUNTERS = new ArrayList<>();

  public static final NamedCounter ASKED = counter("Asked", "Requests that stated a priority");
  public static final NamedCounter RULED =
      counter(
          "Ruled", "Requests without a priority that rules, or a highest below normal, gave one");
  public static final NamedCounter CLAMPED =
      counter("Clamped", "Requests for more than is allowed, served at the highest allowed");
  public static final NamedCounter REJECTED =
      counter(
          "Rejected",
          "Requests for more than is allowed, rejected by the policy's mode: a RegionServer"
              + " answers with an error, a DataNode serves the read as if it had stated none");
  public static final NamedCounter CAPPED =
      counter("Capped", "Requests served at less than is allowed because a cap was reached");
  public static final NamedCounter GROUPS_UNKNOWN =
      counter(
          "GroupsUnknown",
          "Requests served at no more than normal because a rule names a group, and the group"
              + " mapping had not told the user's in time, or names none; in mode observe those"
              + " that would be");
  public static final NamedCounter TENANTS_REFUSED =
      counter(
          "TenantsRefused",
          "Requests that named a tenant that the policy does not let them name; they count for"
              + " that of their rule");
  public static final NamedCounter TARGETED =
      counter("Targeted", "Reads of a DataNode, of at most 256 KiB, with a latency target");
  public static final NamedCounter LATE =
      counter("Late", "Those of them answered after the time left of their target");
  public static final NamedCounter REFUSED =
      counter(
          "Refused",
          "Reads that this DataNode refused because they would have missed their target, and"
              + " another replica could be read");
  public static final NamedCounter ELSEWHERE =
      counter(
          "Elsewhere",
          "Reads of this client for which a DataNode was too late, so that it asked another");
  public static final NamedCounter MALFORMED = counter("Malformed", "Malformed priorities");
  public static final NamedCounter DENIED =
      counter("Denied", "Real-time reads done at be:0 because the kernel refuses real-time");
  public static final NamedCounter FAILED =
      counter("Failed", "Priorities that could not be set, hooks that failed; the read continued");
  public static final NamedCounter STAMPED =
      counter("Stamped", "Reads and writes that this process sent with a priority");
  public static final NamedCounter REOPENED =
      counter("Reopened", "Sequential reads that reopened their block after a change of priority");
  public static final NamedCounter REALTIME_PACED =
      counter("RealtimePaced", "Waits of real-time reads because real-time had used up its share");

  /** In nanoseconds; shown in milliseconds. */
  public static final NamedCounter REALTIME_PACED_NANOS =
      counter("RealtimePacedMillis", "Total duration of these waits in milliseconds", 1_000_000);

  public static final NamedCounter LOCAL_READS =
      counter(
          "LocalReads",
          "Pieces of short-circuit reads that a DataNode let in; DataNode and client count them");
  public static final NamedCounter LOCAL_UNASKED =
      counter(
          "LocalUnasked",
          "Pieces of short-circuit reads that this client read at once because it could not ask");
  public static final NamedCounter LOCAL_REFUSED =
      counter(
          "LocalRefused",
          "Connections of short-circuit readers closed here: a malformed message, or too many");
  public static final NamedCounter LOCAL_LOST =
      counter("LocalLost", "Turns of short-circuit readers ended here: no sign for 300 ms");

  private static volatile String localSocket = "";
  private static volatile Double realtimeShare;
  private static volatile Supplier<List<EngineStatus>> engines = List::of;
  private static volatile Supplier<List<VolumeStatus>> volumes = List::of;
  private static volatile IntSupplier regions = () -> 0;
  private static volatile Runnable recordsListener = () -> {};

  private static final Map<IoClass, ClassMetrics> READS = byClass();
  private static final Map<IoClass, ClassMetrics> WRITES = byClass();
  private static final Map<IoClass, ClassMetrics> CALLS = byClass();
  private static final Map<IoRole, Map<IoClass, ClassMetrics>> ROLES = new ConcurrentHashMap<>();

  private static final Map<String, PolicyStatus> POLICIES = new ConcurrentSkipListMap<>();

  private PriorityMetrics() {}

  private static NamedCounter counter(String name, String description) {
    return counter(name, description, 1);
  }

  private static NamedCounter counter(String name, String description, long unit) {
    NamedCounter counter = new NamedCounter(name, description, unit);
    COUNTERS.add(counter);
    return counter;
  }

  /** The counters of the whole process, in the order in which they are shown. */
  static List<NamedCounter> counters() {
    return Collections.unmodifiableList(COUNTERS);
  }

  /**
   * The share of disk time to which real-time reads are limited; null where there is no DataNode.
   */
  public static Double realtimeShare() {
    return realtimeShare;
  }

  /** Sets the share now in force. */
  public static void setRealtimeShare(double share) {
    realtimeShare = share;
  }

  /** The socket at which short-circuit readers ask this DataNode; empty if there is none. */
  public static String localSocket() {
    return localSocket;
  }

  /** Sets the socket's path; empty for none. */
  public static void setLocalSocket(String path) {
    localSocket = path;
  }

  /** The volumes of this process's DataNodes that have engines. */
  public static List<EngineStatus> engines() {
    return engines.get();
  }

  /** Sets the source of {@link #engines}. */
  public static void setEngines(Supplier<List<EngineStatus>> status) {
    engines = status;
  }

  /** The volumes of this process's DataNodes and what the scheduler of disk time does there. */
  public static List<VolumeStatus> volumes() {
    return volumes.get();
  }

  /** Sets the source of {@link #volumes}. */
  public static void setVolumes(Supplier<List<VolumeStatus>> status) {
    volumes = status;
  }

  /** The open regions of a RegionServer whose operations its coprocessor sees. */
  public static int regions() {
    return regions.getAsInt();
  }

  /** Sets the source of {@link #regions}. */
  public static void setRegions(IntSupplier number) {
    regions = number;
  }

  /** The policies in force in this process's servers, by their keys. */
  public static List<PolicyStatus> policies() {
    return List.copyOf(POLICIES.values());
  }

  /**
   * Sets the policy now in force; where a process has several servers of a kind, the last one's.
   */
  public static void setPolicy(PolicyStatus status) {
    POLICIES.put(status.getKey(), status);
  }

  /** There is a volume or an engine that there was not, or the other way round. */
  public static void recordsChanged() {
    recordsListener.run();
  }

  /** Sets who is told that roles, volumes or engines have come or gone; it must not wait. */
  static void setRecordsListener(Runnable listener) {
    recordsListener = listener;
  }

  private static Map<IoClass, ClassMetrics> byClass() {
    Map<IoClass, ClassMetrics> metrics = new EnumMap<>(IoClass.class);
    for (IoClass ioClass : IoClass.values()) {
      if (ioClass != IoClass.NONE) {
        metrics.put(ioClass, new ClassMetrics());
      }
    }
    return metrics;
  }

  /**
   * Block reads served in a class because of a priority: those of a DataNode, and the blocks that a
   * client opened for short-circuit reads.
   */
  public static ClassMetrics reads(IoClass ioClass) {
    return of(READS, ioClass);
  }

  /** Block writes that a DataNode has served in a class because of a priority. */
  public static ClassMetrics writes(IoClass ioClass) {
    return of(WRITES, ioClass);
  }

  /**
   * All block reads and writes of a DataNode, and what else it does of its own accord, for a role
   * in a class. Class {@link IoClass#NONE} is what had no priority.
   */
  public static ClassMetrics roles(IoRole role, IoClass ioClass) {
    Map<IoClass, ClassMetrics> ofRole = ROLES.computeIfAbsent(role, r -> new ConcurrentHashMap<>());
    ClassMetrics known = ofRole.get(ioClass);
    if (known == null) {
      known = ofRole.computeIfAbsent(ioClass, c -> new ClassMetrics());
      recordsChanged();
    }
    return known;
  }

  /** All of {@link #roles(IoRole, IoClass)} that there has been. */
  static Map<IoRole, Map<IoClass, ClassMetrics>> roles() {
    return ROLES;
  }

  /** RPC calls a RegionServer has served in a class. */
  public static ClassMetrics calls(IoClass ioClass) {
    return of(CALLS, ioClass);
  }

  private static ClassMetrics of(Map<IoClass, ClassMetrics> metrics, IoClass ioClass) {
    ClassMetrics found = metrics.get(ioClass);
    if (found == null) {
      throw new IllegalArgumentException("class " + ioClass.shortName() + " has no metrics");
    }
    return found;
  }

  /** The number of {@link #reads} in a class. */
  public static LongAdder granted(IoClass ioClass) {
    return reads(ioClass).requests();
  }
}
