// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import java.util.List;

/**
 * How the streams of stock Hadoop read: what the kernel and HDFS read ahead is no part of the drive
 * model, so this is assumed.
 *
 * @param pauseNanos the mean time from an answer to the next request
 */
record StockStreams(int bytes, long pauseNanos) {
  private static final String BYTES = "stock_stream_bytes";
  private static final String PAUSE = "stock_stream_pause_ns";

  /**
   * A DataNode asks the kernel for 4 MiB ahead. On the virtual disk the kernel reads at most 1 MiB
   * of it at once ({@code max_sectors_kb}, the largest request of a FUSE file), and 128 KiB at a
   * time after that. With so many bytes the Gets' mean and the streams' rate on stock are about
   * those that the demo has measured.
   */
  private static final int USUAL_BYTES = 640 << 10;

  private static final int USUAL_PAUSE_NANOS = 100_000;

  static final List<Variation> VARIATIONS =
      List.of(
          Variation.ofHost(
              BYTES,
              USUAL_BYTES,
              512 << 10,
              4 << 20,
              "not of the drive: what a stream on stock reads at once; high: all of HDFS's read-ahead,"
                  + " which a kernel reads whose max_sectors_kb is 4096 (Linux, commit 9b8b84879d4a;"
                  + " before, 1280 KiB at most), or whose read_ahead_kb is that; low: assumed"),
          Variation.ofHost(
              PAUSE,
              USUAL_PAUSE_NANOS,
              50_000,
              500_000,
              "not of the drive: until a stream on stock asks for more; assumed"));

  static final StockStreams USUAL = new StockStreams(USUAL_BYTES, USUAL_PAUSE_NANOS);

  /** The same with another value of one of {@link #VARIATIONS}. */
  StockStreams with(String key, String value) {
    return key.equals(BYTES)
        ? new StockStreams(Integer.parseInt(value), pauseNanos)
        : new StockStreams(bytes, Long.parseLong(value));
  }
}
