package org.hadoopprio.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
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
}
