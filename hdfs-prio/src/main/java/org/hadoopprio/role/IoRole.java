package org.hadoopprio.role;

import java.util.Locale;

/** What a daemon reads or writes for of its own accord, without a client that asks for it. */
public enum IoRole {

  /** A DataNode sends a replica to another one, or receives it, because some were lost. */
  RE_REPLICATION(Daemon.DATANODE),

  /** The balancer or the mover has a replica moved. */
  BALANCER(Daemon.DATANODE),

  /** A DataNode computes lost blocks of an erasure-coded file from the others. */
  EC_RECONSTRUCTION(Daemon.DATANODE),

  /** A DataNode reads its replicas to see whether they are still good. */
  BLOCK_SCANNER(Daemon.DATANODE),

  /** A DataNode compares its directories with what it knows. */
  DIRECTORY_SCANNER(Daemon.DATANODE),

  /** A DataNode reads a replica into memory, as the cache directives of HDFS want it. */
  CACHED_BLOCK_LOAD(Daemon.DATANODE),

  /** A RegionServer writes its write-ahead log, for which each Put waits. */
  WAL(Daemon.REGIONSERVER),

  /** A RegionServer writes what is in memory to a store file. */
  FLUSH(Daemon.REGIONSERVER),

  /** A RegionServer makes one store file of several. */
  COMPACTION(Daemon.REGIONSERVER),

  /** A RegionServer opens a store file, before which nobody can read from it. */
  STORE_OPEN(Daemon.REGIONSERVER),

  /** A RegionServer reads a store file into its block cache ahead of any reader. */
  PREFETCH(Daemon.REGIONSERVER);

  /** The daemon that has a role. */
  public enum Daemon {
    /** The DataNode. */
    DATANODE,
    /** The RegionServer. */
    REGIONSERVER
  }

  private final Daemon daemon;

  IoRole(Daemon daemon) {
    this.daemon = daemon;
  }

  /** The daemon that has this role. */
  public Daemon daemon() {
    return daemon;
  }

  /** The name in configurations and metrics, such as {@code re-replication}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
