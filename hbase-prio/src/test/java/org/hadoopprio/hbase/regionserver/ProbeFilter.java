// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.client.CurrentPriority;

/**
 * A filter that runs in the middle of a read on its handler. It records the priority and the
 * thread, and can be slow, wait for its test, or fail.
 */
public final class ProbeFilter extends FilterBase {

  /** The sleep time that means "throw instead". */
  private static final int FAIL = -1;

  /** The sleep time that means "until the test says so". */
  private static final int HOLD = -2;

  private static volatile CountDownLatch held = new CountDownLatch(0);

  private static final Queue<Sight> SIGHTS = new ConcurrentLinkedQueue<>();

  /** The observation of one row. */
  static final class Sight {
    final String label;
    final IoPriority priority;
    final String thread;

    Sight(String label, IoPriority priority, String thread) {
      this.label = label;
      this.priority = priority;
      this.thread = thread;
    }

    boolean onRealtimeHandler() {
      return thread.contains("realtime");
    }
  }

  private final String label;
  private final int sleepMillis;

  private ProbeFilter(String label, int sleepMillis) {
    this.label = label;
    this.sleepMillis = sleepMillis;
  }

  static ProbeFilter noting(String label) {
    return new ProbeFilter(label, 0);
  }

  /** Delays each row by the given time. */
  static ProbeFilter slow(String label, int millis) {
    return new ProbeFilter(label, millis);
  }

  /** Keeps each row, on its handler, until the latch of {@link #hold} is open. */
  static ProbeFilter held(String label) {
    return new ProbeFilter(label, HOLD);
  }

  /** What the rows of {@link #held} wait for from now on. */
  static CountDownLatch hold() {
    held = new CountDownLatch(1);
    return held;
  }

  static ProbeFilter failing(String label) {
    return new ProbeFilter(label, FAIL);
  }

  /** The observations of the filters with a label since the last call. */
  static List<Sight> take(String label) {
    List<Sight> taken = new ArrayList<>();
    SIGHTS.removeIf(sight -> sight.label.equals(label) && taken.add(sight));
    return taken;
  }

  @Override
  public boolean filterRowKey(Cell firstRowCell) throws IOException {
    SIGHTS.add(new Sight(label, CurrentPriority.get(), Thread.currentThread().getName()));
    if (sleepMillis == FAIL) {
      throw new DoNotRetryIOException("as asked");
    }
    try {
      if (sleepMillis == HOLD) {
        held.await();
      } else {
        Thread.sleep(sleepMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  @Override
  public byte[] toByteArray() {
    return Bytes.toBytes(sleepMillis + " " + label);
  }

  /** HBase creates the server's copy with this method. */
  public static Filter parseFrom(byte[] bytes) {
    String[] parts = Bytes.toString(bytes).split(" ", 2);
    return new ProbeFilter(parts[1], Integer.parseInt(parts[0]));
  }
}
