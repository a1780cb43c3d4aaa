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
 * What the hooks on BlockSender call for each packet. Until a DataNode with a share below 1.0 has
 * served a real-time read, every call returns at once.
 *
 * <p>A real-time read is paced in turns of {@link #TURN_BYTES}: an HBase Get or another short read
 * waits at most once, a long one between turns.
 */
public final class RealtimePackets {

  /** Up to this much HDFS itself takes a read for a short one (BlockSender's isLongRead). */
  static final long TURN_BYTES = 256 << 10;

  private static final ThreadLocal<PacketRead> CURRENT = new ThreadLocal<>();

  private static final WeakConcurrentMap<FsVolumeSpi, VolumePacer> PACERS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private static volatile boolean active;

  private RealtimePackets() {}

  /** A DataNode is about to serve a real-time read. */
  public static void realtimeGranted(Configuration conf) {
    if (!active && RealtimeShare.of(conf).isOn()) {
      active = true;
    }
  }

  /**
   * The calling thread begins to read a packet; a real-time one may be made to wait.
   *
   * @param conf the DataNode's
   * @param number of the packet in its read, from 0
   * @param offset of the packet in the block
   * @param end of the read in the block; a packet there carries no data
   * @return to be handed to {@link #end}
   */
  public static Object begin(
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
      beginTurn(packet, pacer);
    } else if (packet.demoted) {
      enterDemoted(packet, pacer);
    } else {
      pacer.enter(packet);
    }
    packet.pacer = pacer;
    return packet;
  }

  private static void beginTurn(PacketRead packet, VolumePacer pacer) {
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

  /** The packet is sent, or failed. */
  public static void end(Object begun) {
    if (begun != null) {
      PacketRead packet = (PacketRead) begun;
      VolumePacer pacer = packet.pacer;
      packet.pacer = null;
      pacer.leave(packet);
      ThreadIoPriority.restore(packet.priorityToRestore);
      packet.priorityToRestore = ThreadIoPriority.UNCHANGED;
    }
  }

  /**
   * The calling thread begins to wait for something other than the disk: the client, or a limit on
   * bandwidth.
   *
   * @return to be handed to {@link #endOtherWait}
   */
  public static Object beginOtherWait() {
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

  /** The wait is over; the packet's turn goes on. */
  public static void endOtherWait(Object begun) {
    if (begun != null) {
      PacketRead packet = (PacketRead) begun;
      packet.pacer.enter(packet);
    }
  }

  /**
   * Whether the calling thread's read should not be read ahead by the pool: what the pool reads at
   * real-time goes on during a pause and is charged to nobody.
   */
  public static boolean skipsReadahead(Configuration conf, ReplicaInputStreams replica) {
    if (!active || !isRealtime()) {
      return false;
    }
    VolumePacer pacer = pacer(conf, replica);
    return pacer != null && pacer.lowerClassesWait();
  }

  /**
   * Whether the packet the calling thread reads is done at be:0 as there was too much real-time.
   */
  public static boolean isDemoted() {
    PacketRead packet = active ? CURRENT.get() : null;
    return packet != null && packet.pacer != null && packet.demoted;
  }

  private static boolean isRealtime() {
    IoPriority applied = ThreadIoPriority.applied();
    return applied != null && applied.ioClass() == IoClass.REALTIME;
  }

  /** The pacer of the replica's volume; null where there is none or real-time is not limited. */
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
