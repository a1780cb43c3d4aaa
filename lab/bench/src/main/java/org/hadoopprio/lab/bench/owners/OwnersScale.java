// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much is written and for how long it is worked.
 *
 * @param seconds for how long everything works at the same time
 * @param rows the rows of the table that clients read and write
 * @param prefetchedRows the rows of the table that is read into the block cache whenever it is
 *     opened
 * @param textMib the text of the MapReduce job, in MiB
 * @param stripedMib the erasure-coded file, in MiB, of an even number
 * @param unbalancedMib what is on two DataNodes only, and has two replicas, in MiB
 * @param openMib the file that is open when the DataNode is killed, in MiB
 * @param flushSeconds how often the table is flushed
 * @param writebackSeconds how long the trace goes on when nobody works any more: the kernel writes
 *     back what is left
 */
public record OwnersScale(
    int seconds,
    int rows,
    int prefetchedRows,
    int textMib,
    int stripedMib,
    int unbalancedMib,
    int openMib,
    int flushSeconds,
    int writebackSeconds) {
  /** The whole experiment. */
  public static OwnersScale full() {
    return new OwnersScale(300, 50_000, 8_000, 128, 128, 512, 128, 15, 40);
  }

  /** A short form. */
  public static OwnersScale quick() {
    return new OwnersScale(60, 10_000, 4_000, 64, 64, 384, 64, 8, 0);
  }

  /**
   * The same for another length.
   *
   * @param length for how long everything works at the same time, in seconds, 40 or more
   */
  public OwnersScale seconds(int length) {
    if (length < 40) {
      throw new IllegalArgumentException("--seconds must be 40 or more, not " + length);
    }
    return new OwnersScale(
        length,
        rows,
        prefetchedRows,
        textMib,
        stripedMib,
        unbalancedMib,
        openMib,
        flushSeconds,
        writebackSeconds);
  }

  /** When the DataNode is killed, from the begin. */
  int killSeconds() {
    return seconds * 2 / 5;
  }

  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("seconds", Integer.toString(seconds));
    settings.put("rows of 4 KiB", Integer.toString(rows));
    settings.put("rows of the prefetched table", Integer.toString(prefetchedRows));
    settings.put("text (MiB)", Integer.toString(textMib));
    settings.put("erasure-coded file (MiB)", Integer.toString(stripedMib));
    settings.put("files on two DataNodes only (MiB)", Integer.toString(unbalancedMib));
    settings.put("file open during the kill (MiB)", Integer.toString(openMib));
    settings.put("seconds between flushes", Integer.toString(flushSeconds));
    settings.put("seconds until the DataNode is killed", Integer.toString(killSeconds()));
    settings.put("seconds of trace after the end", Integer.toString(writebackSeconds));
    return settings;
  }
}
