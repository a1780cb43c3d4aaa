// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the queue's files say; {@link MixedIT} has a queue of the kernel. */
class DiskQueueTest {

  @TempDir private Path directory;

  @BeforeEach
  void writeFiles() throws IOException {
    write("scheduler", "none [mq-deadline] kyber\n");
    write("nr_requests", "64\n");
    write("read_ahead_kb", "4096\n");
    write("rotational", "1\n");
    write("write_cache", "write back\n");
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
  }

  @Test
  void itsSettings() throws IOException {
    DiskQueue queue = new DiskQueue(directory);
    queue.set();
    assertEquals(
        "scheduler=none [mq-deadline] kyber nr_requests=64 read_ahead_kb=128 rotational=1"
            + " write_cache=write back",
        queue.describe());
  }

  /** As the kernel has it by default. */
  @Test
  void writebackIsThrottled() throws IOException {
    DiskQueue queue = new DiskQueue(directory);
    write("wbt_lat_usec", "2000\n");
    queue.set();
    assertTrue(queue.describe().endsWith(" wbt_lat_usec=-1"), queue.describe());
  }
}
