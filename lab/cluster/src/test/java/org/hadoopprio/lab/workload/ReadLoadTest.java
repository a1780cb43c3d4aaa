// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.hadoopprio.ycsb.Arrivals;
import org.junit.jupiter.api.Test;

class ReadLoadTest {

  private static final int LENGTH = 1000;

  private final AtomicLong clock = new AtomicLong();

  private static MeasuredWindow window(long delayMillis, long millis) {
    return MeasuredWindow.after(
        TimeUnit.MILLISECONDS.toNanos(delayMillis), TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** A disk that stands still once, then answers quickly. */
  private static ReadLoad.Reader stallsOnce(long stallMillis, long millis) {
    AtomicBoolean stalled = new AtomicBoolean();
    return () -> {
      pause(stalled.getAndSet(true) ? millis : stallMillis);
      return LENGTH;
    };
  }

  private static void pause(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  private static ReadLatencies closed(ReadLoad.Reader reader, int threads, MeasuredWindow window)
      throws Exception {
    return new ReadLoad(window).closed(Collections.nCopies(threads, reader));
  }

  /** A thread alone in a closed loop, by a clock on which only the reads take time. */
  private JsonNode closed(ReadLoad.Reader reader, long delayMillis, long millis) throws Exception {
    MeasuredWindow window =
        MeasuredWindow.from(
            TimeUnit.MILLISECONDS.toNanos(delayMillis), TimeUnit.MILLISECONDS.toNanos(millis));
    return new ReadLoad(window, clock::get).closed(List.of(reader)).toJson();
  }

  private void pass(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** As {@link #stallsOnce}, by the clock. */
  private ReadLoad.Reader passesOnce(long stallMillis, long millis) {
    AtomicBoolean stalled = new AtomicBoolean();
    return () -> {
      pass(stalled.getAndSet(true) ? millis : stallMillis);
      return LENGTH;
    };
  }

  @Test
  void whatAReadNeedsFirstIsNoPartOfIt() throws Exception {
    ReadLoad.Reader reader =
        new ReadLoad.Reader() {
          @Override
          public void prepare() {
            pass(95);
          }

          @Override
          public int read() {
            pass(5);
            return LENGTH;
          }
        };
    JsonNode report = closed(reader, 0, 500);
    assertEquals(5, report.path("max_ms").asDouble(), 0.1, report.toString());
    assertEquals(5, report.path("reads").asInt(), report.toString());
  }

  @Test
  void aClosedLoopHasAsManyReadsUnderWayAsThreads() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ReadLoad.Reader reader =
        () -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          pause(20);
          now.decrementAndGet();
          return LENGTH;
        };
    JsonNode report = closed(reader, 4, window(0, 500)).toJson();
    assertEquals(4, most.get());
    assertTrue(report.path("p50_ms").asDouble() >= 20, report.toString());
    // 4 / 20 ms = 200 a second at most; a busy machine does fewer.
    double perSecond = report.path("reads_per_s").asDouble();
    assertTrue(perSecond > 40 && perSecond <= 200, report.toString());
    assertEquals(
        perSecond * LENGTH / 1e6, report.path("mb_per_s").asDouble(), 1e-9, report.toString());
  }

  @Test
  void aClosedLoopSeesAStallOnce() throws Exception {
    JsonNode report = closed(passesOnce(300, 2), 0, 600);
    assertEquals(300, report.path("max_ms").asDouble(), 1, report.toString());
    assertEquals(2, report.path("p99_ms").asDouble(), 0.1, report.toString());
  }

  @Test
  void anOpenLoopCountsFromTheTimeAReadWasDueAt() throws Exception {
    // Half of the reads fall due during the stall, so half of them have waited.
    JsonNode report =
        new ReadLoad(window(0, 1000))
            .open(stallsOnce(500, 1), new Arrivals(200, 1, 0, 0), 1)
            .toJson();
    assertTrue(report.path("p50_ms").asDouble() > 50, report.toString());
    assertTrue(report.path("reads").asInt() > 140, report.toString());
  }

  @Test
  void whatWasDueAndNotBegunCountsWithItsWait() throws Exception {
    JsonNode report =
        new ReadLoad(window(0, 300))
            .open(stallsOnce(600, 1), new Arrivals(100, 1, 0, 0), 1)
            .toJson();
    assertTrue(report.path("never_begun").asInt() > 5, report.toString());
    assertTrue(
        report.path("reads").asInt() > report.path("never_begun").asInt(), report.toString());
    assertEquals(0, report.path("reads_per_s").asDouble(), report.toString());
  }

  @Test
  void theRampDoesNotCount() throws Exception {
    // The second read is due before the window and ends in it.
    JsonNode report = closed(passesOnce(200, 150), 300, 450);
    assertEquals(150, report.path("max_ms").asDouble(), 1, report.toString());
    assertEquals(3, report.path("reads").asInt(), report.toString());
    assertEquals(3 / 0.45, report.path("reads_per_s").asDouble(), 1e-9, report.toString());
  }

  @Test
  void aFailedReadFailsTheLoad() {
    ReadLoad.Reader broken =
        () -> {
          throw new IOException("no block");
        };
    IOException failure = assertThrows(IOException.class, () -> closed(broken, 2, window(0, 100)));
    assertTrue(failure.getMessage().contains("no block"), failure.getMessage());
  }

  @Test
  void anOpenLoopLastsUntilTheEndOfTheWindowAlsoIfNothingComes() throws Exception {
    MeasuredWindow window = MeasuredWindow.after(0, 100_000_000);
    new ReadLoad(window).open(() -> 1, new Arrivals(1e-6, 1, 0, 0), 1);
    assertTrue(window.isOver(System.nanoTime()));
  }
}
