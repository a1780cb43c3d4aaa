// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedResourceTest {

  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final SharedResource<Closeable> shared = new SharedResource<>();

  private Closeable open() {
    opened.incrementAndGet();
    return closed::incrementAndGet;
  }

  @Test
  void isOpenedOnceAndClosedByTheLastUser() throws IOException {
    Closeable first = shared.acquire(this::open);
    Closeable second = shared.acquire(this::open);
    assertSame(first, second);
    shared.release();
    assertEquals(0, closed.get());
    shared.release();
    assertEquals(1, opened.get());
    assertEquals(1, closed.get());
  }

  @Test
  void isOpenedAnewAfterTheLastUser() throws IOException {
    Closeable first = shared.acquire(this::open);
    shared.release();
    assertNotSame(first, shared.acquire(this::open));
    shared.release();
    assertEquals(2, closed.get());
  }

  @Test
  void aFailureToOpenCountsNoUser() throws IOException {
    assertThrows(
        IOException.class,
        () ->
            shared.acquire(
                () -> {
                  throw new IOException("no cluster");
                }));
    assertThrows(IllegalStateException.class, shared::release);
    shared.acquire(this::open);
    shared.release();
    assertEquals(1, closed.get());
  }

  @Test
  void threadsThatStartTogetherShareOne() throws Exception {
    int threads = 16;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<Closeable>> users = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        users.add(
            pool.submit(
                () -> {
                  start.await();
                  return shared.acquire(this::open);
                }));
      }
      start.countDown();
      Closeable first = users.get(0).get();
      for (Future<Closeable> user : users) {
        assertSame(first, user.get());
      }
      for (int i = 0; i < threads; i++) {
        assertEquals(0, closed.get());
        shared.release();
      }
      assertEquals(1, opened.get());
      assertEquals(1, closed.get());
    } finally {
      pool.shutdownNow();
    }
  }
}
