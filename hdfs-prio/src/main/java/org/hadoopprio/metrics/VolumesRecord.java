// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;

/** The record of the schedulers of disk time, one for each volume of a DataNode. */
final class VolumesRecord {

  private static final MetricsInfo MODE =
      Interns.info("mode", "Mode of the scheduler in force: off, observe, order or turns");
  private static final MetricsInfo TURNS =
      Interns.info("Turns", "Turns begun: those of streams, and those of short reads together");
  private static final MetricsInfo OVERDUE =
      Interns.info("OverdueWaits", "Waits that were ended because they had taken too long");
  private static final MetricsInfo LOST =
      Interns.info(
          "LostReads",
          "Reads that were at the disk for so long without a sign that they count as lost");
  private static final MetricsInfo REFUSED =
      Interns.info(
          "RefusedTurns",
          "Turns that were not used, because too many threads were at the disk already");
  private static final MetricsInfo OPEN =
      Interns.info(
          "Open", "1 while no read waits because none was given a turn for too long, otherwise 0");
  private static final MetricsInfo STREAMS =
      Interns.info(
          "Streams",
          "Streams that may have a turn together; 0 if reads of the volume cannot be made to wait");
  private static final MetricsInfo VOLUME_SHARE =
      Interns.info(
          "RealtimeShare",
          "Share of the volume's disk time to which real-time reads are limited while others wait");
  private static final MetricsInfo OBSERVED_READS =
      Interns.info("ObservedReads", "Reads that were served in mode observe, as by stock HDFS");
  private static final MetricsInfo OBSERVED_WAITS =
      Interns.info("ObservedWaits", "Those of them that mode turns would probably have made wait");

  private static final MetricsInfo SINGLE_READS =
      Interns.info(
          "SingleReads",
          "Short real-time reads beside which no other real-time read was at the disk");
  private static final MetricsInfo READ_MICROS =
      Interns.info(
          "ReadMicros",
          "Disk time of such a read in microseconds, mean of about the latest 256; 0 if there was"
              + " none");
  private static final MetricsInfo READ_DEVIATION_MICROS =
      Interns.info("ReadDeviationMicros", "Standard deviation of that in microseconds");
  private static final MetricsInfo OPEN_MICROS =
      Interns.info(
          "OpenMicros",
          "Disk time in microseconds before such a read while its files were opened, mean of the"
              + " same reads");
  private static final MetricsInfo WHOLE_TURNS =
      Interns.info(
          "WholeTurns", "Turns of streams of 2 MiB and more that no real-time read has ended");
  private static final MetricsInfo TURN_MICROS =
      Interns.info(
          "TurnMicros",
          "Disk time of such a turn in microseconds, its seek included, mean of about the latest"
              + " 256; 0 if there was none");
  private static final MetricsInfo TURN_BYTES =
      Interns.info("TurnBytes", "Bytes read in such a turn, mean of the same turns");

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
    addClass(record, "Realtime", "real-time requests", queue.getRealtime());
    addClass(
        record,
        "BestEffort",
        "best-effort requests and those without a priority",
        queue.getBestEffort());
    addClass(record, "Idle", "idle requests", queue.getIdle());
    record
        .addCounter(TURNS, queue.getTurns())
        .addCounter(OVERDUE, queue.getOverdueWaits())
        .addCounter(LOST, queue.getLostReads())
        .addCounter(REFUSED, queue.getRefusedTurns())
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

  private static void addClass(
      MetricsRecordBuilder record, String prefix, String reads, ClassStatus status) {
    record
        .addCounter(
            Interns.info(
                prefix + "DiskMillis", "Disk time that " + reads + " have used, in milliseconds"),
            status.getDiskMillis())
        .addCounter(
            Interns.info(
                prefix + "DiskBytes",
                "Bytes of data that " + reads + " have read or written in that time"),
            status.getDiskBytes())
        .addCounter(
            Interns.info(prefix + "Waits", "Waits of " + reads + " for the disk"),
            status.getWaits())
        .addCounter(
            Interns.info(prefix + "WaitMillis", "Total duration of these waits in milliseconds"),
            status.getWaitMillis())
        .addGauge(
            Interns.info(prefix + "Waiting", "Number of " + reads + " that wait now"),
            status.getWaiting());
  }
}
