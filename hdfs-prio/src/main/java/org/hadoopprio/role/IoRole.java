package org.hadoopprio.role;

import java.util.Locale;

/** What a daemon reads or writes for of its own accord, without a client that asks for it. */
public enum IoRole {

  /** A DataNode sends a replica to another one, or receives it, because some were lost. */
  RE_REPLICATION,

  /** The balancer or the mover has a replica moved. */
  BALANCER,

  /** A DataNode computes lost blocks of an erasure-coded file from the others. */
  EC_RECONSTRUCTION,

  /** A DataNode reads its replicas to see whether they are still good. */
  BLOCK_SCANNER,

  /** A DataNode compares its directories with what it knows. */
  DIRECTORY_SCANNER,

  /** A DataNode reads a replica into memory, as the cache directives of HDFS want it. */
  CACHED_BLOCK_LOAD;

  /** The name in configurations and metrics, such as {@code re-replication}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
