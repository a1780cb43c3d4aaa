// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio;

import java.util.Locale;

/**
 * What a request is for. Servers count requests by role; a role alone gives no priority and no
 * right, as anybody can state any.
 *
 * <p>The codes are those of the wire format and never change.
 */
public enum IoRole {

  /** Not known: the sender states a role of a later version, or the operation names no client. */
  UNKNOWN(0, null),

  /** An application reads. */
  CLIENT_READ(1, null),

  /** An application writes. */
  CLIENT_WRITE(2, null),

  /** A task of a MapReduce job reads or writes. */
  MAPREDUCE_TASK(3, null),

  /** A RegionServer writes its write-ahead log, for which each Put waits. */
  WAL(16, Daemon.REGIONSERVER),

  /** A RegionServer writes what is in memory to a store file. */
  FLUSH(17, Daemon.REGIONSERVER),

  /** The same while writers wait for it, because there is too much in memory. */
  FLUSH_URGENT(25, Daemon.REGIONSERVER),

  /** A RegionServer makes one store file of some. */
  COMPACTION_MINOR(18, Daemon.REGIONSERVER),

  /** A RegionServer makes one store file of all that a store has. */
  COMPACTION_MAJOR(19, Daemon.REGIONSERVER),

  /** A compaction of a store with so many files that flushes, and so writers, wait for it. */
  COMPACTION_URGENT(26, Daemon.REGIONSERVER),

  /** A RegionServer opens a store file, before which nobody can read from it. */
  STORE_OPEN(20, Daemon.REGIONSERVER),

  /** A RegionServer reads a store file into its block cache ahead of any reader. */
  PREFETCH(21, Daemon.REGIONSERVER),

  /** A RegionServer checks and takes over store files that a client has made. */
  BULK_LOAD(22, Daemon.REGIONSERVER),

  /** A RegionServer reads its write-ahead logs to send them to another cluster. */
  REPLICATION_SOURCE(23, Daemon.REGIONSERVER),

  /** A RegionServer divides or replays the write-ahead log of one that has died. */
  WAL_RECOVERY(24, Daemon.REGIONSERVER),

  /** A DataNode sends a replica to another one, or receives it, because some were lost. */
  RE_REPLICATION(32, Daemon.DATANODE),

  /** The balancer or the mover has a replica moved. */
  BALANCER(33, Daemon.DATANODE),

  /** A DataNode computes lost blocks of an erasure-coded file from the others. */
  EC_RECONSTRUCTION(34, Daemon.DATANODE),

  /** A DataNode reads its replicas to see whether they are still good. */
  BLOCK_SCANNER(35, Daemon.DATANODE),

  /** A DataNode compares its directories with what it knows. */
  DIRECTORY_SCANNER(36, Daemon.DATANODE),

  /** A DataNode reads a replica into memory, as the cache directives of HDFS want it. */
  CACHED_BLOCK_LOAD(37, Daemon.DATANODE),

  /** A DataNode moves a replica from one of its disks to another, to even out how full they are. */
  DISK_BALANCER(38, Daemon.DATANODE);

  /** The daemon that gives a role its priority. */
  public enum Daemon {
    /** The DataNode. */
    DATANODE,
    /** The RegionServer. */
    REGIONSERVER
  }

  private static final IoRole[] BY_CODE = new IoRole[64];

  static {
    for (IoRole role : values()) {
      BY_CODE[role.code] = role;
    }
  }

  private final int code;
  private final Daemon daemon;
  private final String text;

  IoRole(int code, Daemon daemon) {
    this.code = code;
    this.daemon = daemon;
    this.text = name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The number on the wire. */
  public int code() {
    return code;
  }

  /** The role of a number on the wire; {@link #UNKNOWN} if this version knows none. */
  public static IoRole fromCode(long code) {
    IoRole role = code < 0 || code >= BY_CODE.length ? null : BY_CODE[(int) code];
    return role == null ? UNKNOWN : role;
  }

  /**
   * The daemon that does this of its own accord, and whose configuration gives it a priority; null
   * for what applications do.
   */
  public Daemon daemon() {
    return daemon;
  }

  /** Whether writers wait for it, so that it must not be idle. */
  public boolean isUrgent() {
    return this == FLUSH_URGENT || this == COMPACTION_URGENT;
  }

  /** The name in configurations, metrics and logs, such as {@code re-replication}. */
  @Override
  public String toString() {
    return text;
  }
}
