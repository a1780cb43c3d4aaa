// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;
import org.hadoopprio.disktime.ServiceTimes;

/** The record of the schedulers of disk time, one for each volume of a DataNode. */
final class VolumesRecord {

  private static final MetricsInfo MODE =
      Interns.info("mode", "Mode of the scheduler in force: off, observe, order or turns");
  private static final MetricsInfo TURNS =
      Interns.info("Turns", "Turns begun: those of streams, and those of short reads together");
  private static final MetricsInfo OVERDUE =
      Interns.info("OverdueWaits", "Waits ended because they had taken too long");
  private static final MetricsInfo LOST =
      Interns.info("LostReads", "Reads at the disk without a sign for so long that they are lost");
  private static final MetricsInfo REFUSED =
      Interns.info("RefusedTurns", "Turns not used because too many threads were at the disk");
  private static final MetricsInfo SLOW =
      Interns.info(
          "SlowReads",
          "Reads that have waited for longer than dfs.datanode.io.priority.scheduler.slow.ms");
  private static final MetricsInfo OPEN =
      Interns.info("Open", "1 while no read waits because none was given a turn for too long");
  private static final MetricsInfo STREAMS =
      Interns.info("Streams", "Streams that may have a turn together; 0 if reads cannot wait");
  private static final MetricsInfo VOLUME_SHARE =
      Interns.info("RealtimeShare", "Share of disk time that real-time has while others wait");
  private static final MetricsInfo OBSERVED_READS =
      Interns.info("ObservedReads", "Reads served in mode observe");
  private static final MetricsInfo OBSERVED_WAITS =
      Interns.info("ObservedWaits", "Those of them that turns would probably have made wait");

  private static final MetricsInfo SINGLE_READS =
      Interns.info("SingleReads", "Short real-time reads with no other real-time read at the disk");
  private static final MetricsInfo READ_MICROS =
      Interns.info("ReadMicros", "Disk time of these in microseconds, mean of about 256");
  private static final MetricsInfo READ_DEVIATION_MICROS =
      Interns.info("ReadDeviationMicros", "Standard deviation of that");
  private static final MetricsInfo OPEN_MICROS =
      Interns.info("OpenMicros", "Disk time before these reads, to open the files; mean");
  private static final MetricsInfo WHOLE_TURNS =
      Interns.info(
          "WholeTurns",
          "Turns in which a stream read 2 MiB and more from the disk, and no real-time read came");
  private static final MetricsInfo TURN_MICROS =
      Interns.info(
          "TurnMicros",
          "Disk time of these in microseconds with the seek, mean of about the latest 256");
  private static final MetricsInfo TURN_BYTES =
      Interns.info("TurnBytes", "Bytes read in these, mean");

  private VolumesRecord() {}

  /** Adds the record of one volume. */
  static void add(MetricsCollector collector, VolumeStatus status) {
    QueueStatus queue = status.counted();
    MetricsRecordBuilder record =
        collector
            .addRecord(PriorityMetricsSource.VOLUMES_RECORD)
            .setContext(PriorityMetricsSource.CONTEXT)
            .tag(PriorityMetricsSource.VOLUME, status.getVolume())
            .tag(MODE, status.getMode());
    addClass(record, "Realtime", queue.getRealtime());
    addClass(record, "BestEffort", queue.getBestEffort());
    addClass(record, "Idle", queue.getIdle());
    record
        .addCounter(TURNS, queue.getTurns())
        .addCounter(OVERDUE, queue.getOverdueWaits())
        .addCounter(LOST, queue.getLostReads())
        .addCounter(REFUSED, queue.getRefusedTurns())
        .addCounter(SLOW, queue.getSlow())
        .addGauge(OPEN, queue.isOpen() ? 1 : 0)
        .addGauge(STREAMS, status.getStreams())
        .addGauge(VOLUME_SHARE, status.getRealtimeShare())
        .addCounter(OBSERVED_READS, status.getObserved().getReads())
        .addCounter(OBSERVED_WAITS, status.getObserved().getWaits());
    addServiceTimes(record, queue.getServiceTimes());
  }

  private static void addServiceTimes(MetricsRecordBuilder record, ServiceTimes times) {
    record
        .addCounter(SINGLE_READS, times.getReads())
        .addGauge(READ_MICROS, times.getReadMicros())
        .addGauge(READ_DEVIATION_MICROS, times.getReadDeviationMicros())
        .addGauge(OPEN_MICROS, times.getOpenMicros())
        .addCounter(WHOLE_TURNS, times.getTurns())
        .addGauge(TURN_MICROS, times.getTurnMicros())
        .addGauge(TURN_BYTES, times.getTurnBytes());
  }

  private static void addClass(MetricsRecordBuilder record, String prefix, ClassStatus status) {
    record
        .addCounter(
            Interns.info(prefix + "DiskMillis", "Disk time of the class's requests, milliseconds"),
            status.getDiskMillis())
        .addCounter(
            Interns.info(prefix + "DiskBytes", "Bytes that these have read or written"),
            status.getDiskBytes())
        .addCounter(
            Interns.info(prefix + "Waits", "Waits of these for the disk"), status.getWaits())
        .addCounter(
            Interns.info(prefix + "WaitMillis", "Duration of these waits in milliseconds"),
            status.getWaitMillis())
        .addGauge(Interns.info(prefix + "Waiting", "How many wait now"), status.getWaiting());
  }
}
