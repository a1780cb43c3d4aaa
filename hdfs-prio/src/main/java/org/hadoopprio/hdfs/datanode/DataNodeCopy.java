// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.IoRole;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.datanode.scheduler.DiskRequest;
import org.hadoopprio.hdfs.datanode.scheduler.ReplicaCopy;
import org.hadoopprio.hdfs.datanode.scheduler.Volume;
import org.hadoopprio.hdfs.datanode.scheduler.Volumes;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * A replica that a thread of a DataNode copies from one of its volumes to another one: for the disk
 * balancer, or for the mover or the balancer, which want it on another type of storage. Not
 * thread-safe; used by that thread only.
 */
public final class DataNodeCopy extends AdmittedRequest {

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(DataNodeCopy.class));

  private final DataNodePolicy policy;
  private final Volume target;

  private DataNodeCopy(DataNodePolicy policy, IoRole role, Volume target) {
    super(Kind.WORK, Hint.NOTHING);
    this.policy = policy;
    this.target = target;
    setRole(role);
  }

  /** The disk balancer moves a replica. */
  private static final class Balancing extends DiskRequest {
    Balancing() {
      super(Hint.NOTHING);
    }
  }

  /** The disk balancer begins to move a replica on the calling thread. */
  public static void balancerBegins() {
    new Balancing().begin();
  }

  /** It has moved it, or failed to. */
  public static void balancerEnds() {
    if (balancesDisks()) {
      DiskRequest.ofThread().end();
    }
  }

  private static boolean balancesDisks() {
    return DiskRequest.ofThread() instanceof Balancing;
  }

  /**
   * The calling thread is about to copy a replica, and has the priority of the copy's role until
   * {@link #end}. May wait for turns at the source's disk. Never fails because of the priority.
   *
   * @return the value to pass to {@link #end}; null where nothing is done about it, because one of
   *     the volumes is stock
   */
  public static DataNodeCopy begin(DataNode dataNode, ReplicaInfo source, FsVolumeSpi target) {
    Configuration conf = dataNode.getConf();
    Volume from = Volumes.of(conf, source.getVolume());
    Volume to = Volumes.of(conf, target);
    VolumeMode mode = from.mode();
    if (DataNodeWork.isOff() || mode.isStock() || to.mode().isStock()) {
      return null;
    }
    boolean balancesDisks = balancesDisks();
    IoRole role = balancesDisks ? IoRole.DISK_BALANCER : IoRole.BALANCER;
    DataNodePolicy policy = DataNodePolicy.of(conf);
    DataNodeCopy begun = new DataNodeCopy(policy, role, to);
    begun.admit(policy, from, mode);
    try {
      // Nobody waits for the disk balancer.
      if (!ReplicaCopy.read(from, source, begun, !balancesDisks)) {
        // The kernel, too, would let others go first.
        begun.restorePriority();
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      failed(e);
    }
    return begun;
  }

  private static void failed(Throwable e) {
    PriorityMetrics.FAILED.increment();
    LOG.warn("A replica is copied to another disk without turns: " + e);
  }

  /**
   * The calling thread has copied it, or failed to; restores its priority.
   *
   * @param begun what {@link #begin} has returned
   * @param copy null if it has failed
   */
  public static void end(DataNodeCopy begun, ReplicaInfo copy) {
    if (begun == null) {
      return;
    }
    try {
      if (copy != null) {
        begun.written(copy);
      }
    } finally {
      begun.end();
    }
  }

  private void written(ReplicaInfo copy) {
    // It was read, and it was written.
    moved(2 * copy.getNumBytes());
    try {
      ReplicaCopy.written(target, copy, this, policy.writeBehind());
    } catch (IOException | RuntimeException | LinkageError e) {
      failed(e);
    }
  }
}
