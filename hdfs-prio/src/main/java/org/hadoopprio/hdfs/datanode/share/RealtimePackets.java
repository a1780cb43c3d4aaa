package org.hadoopprio.hdfs.datanode.share;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;

/**
 * The delegate of the hooks on BlockSender, called for each packet. Every call returns at once
 * until a DataNode with a share below 1.0 has admitted a real-time read. Thread-safe.
 *
 * <p>A real-time read is paced in turns of {@link #TURN_BYTES}: an HBase Get or another short read
 * waits at most once, a long read between turns.
 */
public final class RealtimePackets {

  /** HDFS itself regards a read of up to this size as short (BlockSender's isLongRead). */
  static final long TURN_BYTES = 256 << 10;

  private static final ThreadLocal<PacketRead> CURRENT = new ThreadLocal<>();

  private static final WeakConcurrentMap<FsVolumeSpi, VolumePacer> PACERS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private static volatile boolean active;

  private RealtimePackets() {}

  /** A DataNode has admitted a real-time read. */
  public static void realtimeAdmitted(Configuration conf) {
    if (!active && RealtimeShare.of(conf).isOn()) {
      active = true;
    }
  }

  /**
   * The calling thread is about to read a packet. A real-time read may have to wait here.
   *
   * @param conf the configuration of the DataNode
   * @param number the number of the packet in its read, from 0
   * @param offset the offset of the packet in the block, in bytes
   * @param end the end of the read in the block, in bytes; a packet at this offset carries no data
   * @return the value to pass to {@link #leave}; Object because the hooked class, which keeps it in
   *     a local variable, has no access to PacketRead
   */
  public static Object enter(
      Configuration conf, ReplicaInputStreams replica, long number, long offset, long end) {
    if (!active || offset >= end) {
      return null;
    }
    VolumePacer pacer = pacer(conf, replica);
    if (pacer == null) {
      return null;
    }
    PacketRead packet = CURRENT.get();
    if (packet == null) {
      packet = new PacketRead();
      CURRENT.set(packet);
    }
    packet.realtime = isRealtime();
    if (!packet.realtime) {
      packet.demoted = false;
      pacer.enter(packet);
    } else if (number == 0 || offset >= packet.turnEnd) {
      packet.turnEnd = offset + TURN_BYTES;
      enterTurn(packet, pacer);
    } else if (packet.demoted) {
      enterDemoted(packet, pacer);
    } else {
      pacer.enter(packet);
    }
    packet.pacer = pacer;
    return packet;
  }

  private static void enterTurn(PacketRead packet, VolumePacer pacer) {
    packet.demoted = pacer.settings().excess() == RealtimeExcess.DEMOTE && pacer.isExcess();
    if (packet.demoted) {
      PriorityMetrics.REALTIME_DEMOTED.increment();
      pacer.logExcess();
      enterDemoted(packet, pacer);
    } else if (pacer.settings().excess() == RealtimeExcess.PACE) {
      pacer.enterTurn(packet);
    } else {
      pacer.enter(packet);
    }
  }

  private static void enterDemoted(PacketRead packet, VolumePacer pacer) {
    packet.realtime = false;
    packet.priorityToRestore = ThreadIoPriority.apply(IoPriority.bestEffort(0));
    pacer.enter(packet);
  }

  /** The calling thread has sent its packet or has failed to. */
  public static void leave(Object entered) {
    if (entered != null) {
      PacketRead packet = (PacketRead) entered;
      VolumePacer pacer = packet.pacer;
      packet.pacer = null;
      pacer.leave(packet);
      ThreadIoPriority.restore(packet.priorityToRestore);
      packet.priorityToRestore = ThreadIoPriority.UNCHANGED;
    }
  }

  /**
   * The calling thread is about to wait for something other than the disk: the client or a
   * bandwidth limit.
   *
   * @return the value to pass to {@link #resume}; Object as in {@link #enter}
   */
  public static Object suspend() {
    if (!active) {
      return null;
    }
    PacketRead packet = CURRENT.get();
    if (packet == null || packet.pacer == null) {
      return null;
    }
    packet.pacer.leave(packet);
    return packet;
  }

  /** The wait is over; the calling thread continues with its packet. */
  public static void resume(Object suspended) {
    if (suspended != null) {
      PacketRead packet = (PacketRead) suspended;
      packet.pacer.enter(packet);
    }
  }

  /**
   * Whether the readahead pool should not read ahead for the calling thread: the pool's real-time
   * reads would continue during a pause and would not be charged.
   */
  public static boolean skipsReadahead(Configuration conf, ReplicaInputStreams replica) {
    if (!active || !isRealtime()) {
      return false;
    }
    VolumePacer pacer = pacer(conf, replica);
    return pacer != null && pacer.lowerClassesWait();
  }

  /**
   * Whether the calling thread reads its packet at be:0 because real-time has used more than its
   * share.
   */
  public static boolean isDemoted() {
    PacketRead packet = active ? CURRENT.get() : null;
    return packet != null && packet.pacer != null && packet.demoted;
  }

  private static boolean isRealtime() {
    IoPriority applied = ThreadIoPriority.applied();
    return applied != null && applied.ioClass() == IoClass.REALTIME;
  }

  /** The pacer of the replica's volume; null if there is none or real-time is not limited. */
  private static VolumePacer pacer(Configuration conf, ReplicaInputStreams replica) {
    FsVolumeReference reference = replica.getVolumeRef();
    FsVolumeSpi volume = reference == null ? null : reference.getVolume();
    if (volume == null) {
      return null;
    }
    VolumePacer pacer = PACERS.getIfPresent(volume);
    if (pacer == null) {
      RealtimeShare settings = RealtimeShare.of(conf);
      VolumePacer made = new VolumePacer(volume.toString(), settings, System::nanoTime);
      VolumePacer other = PACERS.putIfAbsent(volume, made);
      pacer = other == null ? made : other;
    }
    return pacer.settings().isOn() ? pacer : null;
  }
}
