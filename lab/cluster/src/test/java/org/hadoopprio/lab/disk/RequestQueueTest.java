// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written to the queue's files; {@link VirtualDiskIT} has a queue of the kernel. */
class RequestQueueTest {

  @TempDir private Path directory;
  private RequestQueue queue;

  @BeforeEach
  void writeFiles() throws IOException {
    queue = new RequestQueue(directory);
    write("scheduler", "none [mq-deadline] kyber bfq\n");
    write("nr_requests", "256\n");
    write("read_ahead_kb", "4096\n");
    write("rotational", "1\n");
    write("write_cache", "write back\n");
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
  }

  private String read(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }

  @Test
  void aSchedulerComesWithTheRequestsOfASataDisk() throws IOException {
    queue.scheduler("mq-deadline");
    assertEquals("mq-deadline", read("scheduler"));
    assertEquals("64", read("nr_requests"));
  }

  @Test
  void withoutASchedulerADiskHasItsTags() throws IOException {
    queue.scheduler("none");
    assertEquals("32", read("nr_requests"));
  }

  @Test
  void anUnknownSchedulerIsRefused() {
    String message =
        assertThrows(IOException.class, () -> queue.scheduler("deadline")).getMessage();
    assertTrue(message.contains("no I/O scheduler deadline; this kernel has none [mq-"), message);
  }

  /** As the kernel has it by default. */
  @Test
  void writebackIsThrottledButBesideBfq() throws IOException {
    write("wbt_lat_usec", "2000\n");
    queue.scheduler("kyber");
    assertEquals("-1", read("wbt_lat_usec"));
    write("scheduler", "none mq-deadline [kyber] bfq\n");
    queue.scheduler("bfq");
    assertEquals("0", read("wbt_lat_usec"));
  }

  @Test
  void asyncDepthIsWhereTheKernelHasIt() throws IOException {
    Files.createDirectory(directory.resolve("iosched"));
    queue.asyncDepth(4);
    assertEquals("4", read("iosched/async_depth"));
    write("async_depth", "64\n");
    queue.asyncDepth(5);
    assertEquals("5", read("async_depth"));
  }

  @Test
  void itsSettingsAreOnRecord() throws IOException {
    queue.readAhead(ReadAhead.OLD);
    assertEquals(
        "scheduler=none [mq-deadline] kyber bfq nr_requests=256 read_ahead_kb=128 rotational=1"
            + " write_cache=write back",
        queue.describe());
    write("async_depth", "48\n");
    write("wbt_lat_usec", "75000\n");
    String all = queue.describe();
    assertTrue(all.contains(" nr_requests=256 async_depth=48 "), all);
    assertTrue(all.endsWith(" wbt_lat_usec=75000"), all);
  }
}
