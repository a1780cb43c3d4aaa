// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class RateLimitedLogTest {

  @Test
  void aMessageIsMadeOnlyIfItIsWritten() {
    RateLimitedLog log = new RateLimitedLog(LoggerFactory.getLogger(RateLimitedLogTest.class));
    AtomicInteger made = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      log.warn(() -> "message " + made.incrementAndGet());
    }
    assertEquals(1, made.get(), "one a minute");
  }

  @Test
  void whateverClientsSendAMessageIsOneLineAndNoLongerThanAScreen() {
    assertEquals("a?b?c?d?e \u00fc", written("a\nb\rc\u001b" + "d\u2028e \u00fc"));
    String written = written("a".repeat(1 << 20));
    assertEquals("a".repeat(4096) + "...", written);
  }

  @Test
  void whoeverWarnsGoesOnIfTheLogFails() {
    AtomicInteger asked = new AtomicInteger();
    Logger log =
        log(
            (proxy, method, args) -> {
              asked.incrementAndGet();
              throw new InternalError("a test's");
            });
    new RateLimitedLog(log).warn("message");
    assertEquals(1, asked.get());
  }

  private static String written(String message) {
    AtomicReference<Object> seen = new AtomicReference<>();
    Logger log =
        log(
            (proxy, method, args) -> {
              seen.set(args[1]);
              return null;
            });
    new RateLimitedLog(log).warn(message);
    return (String) seen.get();
  }

  private static Logger log(InvocationHandler handler) {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, handler);
  }

  @Test
  void aNameIsPrintableAndShort() {
    assertEquals("alice", Printable.of("alice"));
    assertEquals("a?b??", Printable.of("a\nb\t\u00fc"));
    assertEquals("x".repeat(128) + "...", Printable.of("x".repeat(1 << 20)));
    assertEquals("null", Printable.of(null));
  }
}
