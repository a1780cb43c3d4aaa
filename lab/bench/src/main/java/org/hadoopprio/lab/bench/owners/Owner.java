// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.doctor.trace.BlockTraceEvent;
import org.hadoopprio.lab.trace.BlockTraceSummary;

/**
 * For whom a disk reads or writes. Each owner of a cluster has a priority that no other owner has
 * in the same direction, so a request's priority and direction name its owner. Roles cannot be
 * real-time, and there are more of them than other priorities: two that only read share theirs with
 * two that only write.
 */
@SuppressWarnings("ImmutableEnumChecker") // priorities are immutable, the lists come from List.of
enum Owner {
  GET("HBase: Gets", IoPriority.realtime(0), true, false),
  SCAN("HBase: scans", IoPriority.realtime(1), true, false),
  JOB("MapReduce: job, tasks, localizer", IoPriority.realtime(2), true, true),
  STRIPED_READ("HDFS client: erasure-coded file", IoPriority.realtime(3), true, false),
  COPY("HDFS client: copies", IoPriority.realtime(4), true, true),
  MASTER("HBase: Master", IoPriority.realtime(5), true, true),
  PIPELINE("HDFS client: file open during the kill", IoPriority.realtime(6), true, true),
  REGION_SERVER("HBase: RegionServer, no role", IoPriority.realtime(7), true, true),
  WAL("HBase: WAL", IoPriority.bestEffort(0), false, true, IoRole.WAL),
  PREFETCH("HBase: prefetch", IoPriority.bestEffort(0), true, false, IoRole.PREFETCH),
  EC_RECONSTRUCTION(
      "DataNode: EC reconstruction",
      IoPriority.bestEffort(1),
      true,
      true,
      IoRole.EC_RECONSTRUCTION),
  FLUSH("HBase: flushes", IoPriority.bestEffort(2), false, true, IoRole.FLUSH, IoRole.FLUSH_URGENT),
  STORE_OPEN(
      "HBase: opening of store files", IoPriority.bestEffort(2), true, false, IoRole.STORE_OPEN),
  /** The priority that ext4 gives its journal where no mount option says otherwise. */
  JOURNAL("file system: journal", IoPriority.bestEffort(3), false, true),
  DIRECTORY_SCANNER(
      "DataNode: directory scanner",
      IoPriority.bestEffort(3),
      true,
      false,
      IoRole.DIRECTORY_SCANNER),
  RE_REPLICATION(
      "DataNode: re-replication", IoPriority.bestEffort(5), true, true, IoRole.RE_REPLICATION),
  COMPACTION(
      "HBase: compactions",
      IoPriority.bestEffort(6),
      true,
      true,
      IoRole.COMPACTION_MINOR,
      IoRole.COMPACTION_MAJOR,
      IoRole.COMPACTION_URGENT),
  BALANCER("DataNode: balancer", IoPriority.bestEffort(7), true, true, IoRole.BALANCER),
  BLOCK_SCANNER("DataNode: block scanner", IoPriority.IDLE, true, false, IoRole.BLOCK_SCANNER),
  METADATA("file system: metadata", IoPriority.NONE, true, true),
  WRITEBACK("kernel: writeback", IoPriority.NONE, false, true),
  NOBODY("nobody: no priority", IoPriority.NONE, true, true),
  UNASKED("nobody: a priority that nobody has", null, true, true);

  /** Digits are left out of the name, see {@link Request#of}. */
  private static final String JOURNAL_THREAD = "jbdN/";

  private final String label;
  private final IoPriority priority;
  private final boolean reads;
  private final boolean writes;
  private final List<IoRole> roles;

  /**
   * An owner.
   *
   * @param priority null for any that is no other owner's
   * @param roles all roles that it has
   */
  Owner(String label, IoPriority priority, boolean reads, boolean writes, IoRole... roles) {
    this.label = label;
    this.priority = priority;
    this.reads = reads;
    this.writes = writes;
    this.roles = List.of(roles);
  }

  /** For people. */
  String label() {
    return label;
  }

  IoPriority priority() {
    return priority;
  }

  /** Whether it reads, or writes otherwise. */
  boolean does(boolean read) {
    return read ? reads : writes;
  }

  /** Whether bytes of it are expected in each run. */
  boolean isExpected() {
    // The scanner of directories reads what the file system has in memory.
    return !isNobody() && this != DIRECTORY_SCANNER && this != METADATA && this != REGION_SERVER;
  }

  /** Whether it stands for requests without an owner. */
  boolean isNobody() {
    return this == NOBODY || this == UNASKED;
  }

  /** The priorities of a daemon's roles as its configuration has them. */
  static String roles(IoRole.Daemon daemon) {
    return Arrays.stream(values())
        .flatMap(owner -> owner.roles.stream().map(role -> new Object[] {role, owner.priority}))
        .filter(pair -> ((IoRole) pair[0]).daemon() == daemon)
        .map(pair -> pair[0] + "=" + pair[1])
        .collect(Collectors.joining(","));
  }

  /** The owner of a request. */
  static Owner of(Request request) {
    if (!request.isRead() && request.comm().startsWith(JOURNAL_THREAD)) {
      return JOURNAL;
    }
    if (!request.priority().equals(BlockTraceSummary.kernelText(IoPriority.NONE))) {
      return byPriority(request).orElse(UNASKED);
    }
    if (request.isMetadata()) {
      return METADATA;
    }
    // The kernel writes back in the background, and waits for nothing; who wants to wait says so.
    return request.isRead() || request.isSynchronous() ? NOBODY : WRITEBACK;
  }

  private static Optional<Owner> byPriority(Request request) {
    return Arrays.stream(values())
        .filter(owner -> owner.priority != null && !owner.priority.isNone())
        .filter(owner -> owner.does(request.isRead()))
        .filter(owner -> BlockTraceSummary.kernelText(owner.priority).equals(request.priority()))
        .findFirst();
  }

  /**
   * What tells requests apart: those with the same have the same owner.
   *
   * @param operation the kernel's letters, see {@link BlockTraceEvent#operation}
   * @param priority as the kernel prints it
   * @param comm the thread's name
   */
  record Request(boolean read, String operation, String priority, String comm) {
    /** Of an event that is a read or a write. */
    static Request of(BlockTraceEvent event) {
      // Threads that differ in a number only are of one kind.
      return new Request(
          event.isRead(),
          event.operation(),
          event.priority().orElse("?"),
          event.comm().replaceAll("\\d+", "N"));
    }

    boolean isRead() {
      return read;
    }

    boolean isMetadata() {
      return operation.endsWith("M");
    }

    boolean isSynchronous() {
      return operation.contains("S");
    }
  }
}
