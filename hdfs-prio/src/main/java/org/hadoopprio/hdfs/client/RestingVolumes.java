// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.hadoopprio.linux.DescriptorNumber;

/**
 * The volumes of a DataNode about which it is not asked for some seconds: it has said that their
 * reads do not wait, or nothing at all, as when their disk hangs. Also those whose reads are stock.
 * Thread-safe.
 */
final class RestingVolumes {

  /** How long the DataNode is not asked about a volume. */
  static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LongSupplier clock;

  /** By the volume's directory; a host has some dozens. */
  private final Map<String, Long> until = new ConcurrentHashMap<>();

  private final Set<String> off = ConcurrentHashMap.newKeySet();

  /**
   * Begins with none.
   *
   * @param clock monotonic, in nanoseconds
   */
  RestingVolumes(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * The directory of the volume that an open block file is in, as the kernel knows it. A file that
   * is not where HDFS has its blocks is a volume of its own.
   *
   * @param pool the id of the block's pool
   * @throws IOException if the file is not open any more
   */
  static String of(FileInputStream data, String pool) throws IOException {
    int descriptor = DescriptorNumber.of(data.getFD());
    String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
    int end = file.indexOf("/current/" + pool + "/");
    return end < 0 ? file : file.substring(0, end);
  }

  /** Whether nothing is known of any, so that no volume need be named. */
  boolean isEmpty() {
    return until.isEmpty() && off.isEmpty();
  }

  /** The DataNode has said whether reads of the volume are stock. */
  void setOff(String volume, boolean isOff) {
    if (isOff) {
      off.add(volume);
    } else {
      off.remove(volume);
    }
  }

  /** Whether reads of the volume are stock, as far as the DataNode has last said. */
  boolean isOff(String volume) {
    return off.contains(volume);
  }

  /** Whether reads of some volume are stock. */
  boolean isAnyOff() {
    return !off.isEmpty();
  }

  /** The DataNode says nothing any more of what is stock. */
  void forgetOff() {
    off.clear();
  }

  /** The DataNode is not asked about the volume from now on. */
  void add(String volume) {
    until.put(volume, clock.getAsLong() + REST_NANOS);
  }

  /** Whether the DataNode is not asked about the volume. */
  boolean contains(String volume) {
    Long end = until.get(volume);
    if (end == null) {
      return false;
    }
    boolean rests = clock.getAsLong() - end < 0;
    if (!rests) {
      until.remove(volume, end);
    }
    return rests;
  }
}
