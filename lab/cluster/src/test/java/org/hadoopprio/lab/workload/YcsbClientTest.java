// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YcsbClientTest {

  private static final YcsbTable TABLE = new YcsbTable("t", 100, 100_000);

  @TempDir private Path logs;

  @Test
  void aLoadFailsWhenItsServersHaveGone() {
    IOException gone = new IOException("regionserver: has ended");
    AtomicInteger looks = new AtomicInteger();
    YcsbClient client =
        new YcsbClient(
            arguments -> new ProcessBuilder("sleep", "600"),
            () -> {
              if (looks.incrementAndGet() == 2) {
                throw gone;
              }
            },
            logs);

    assertSame(gone, assertThrows(IOException.class, () -> client.load(TABLE, done -> {})));
  }
}
