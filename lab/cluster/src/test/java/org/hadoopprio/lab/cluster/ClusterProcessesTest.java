// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterProcessesTest {

  private final String id = UUID.randomUUID().toString();
  private final ClusterProcesses processes = new ClusterProcesses(id);

  @AfterEach
  void leavesNothing() throws IOException {
    processes.kill(processes.all());
  }

  private static Process start(String id, String script) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", script);
    builder.environment().put(ClusterProcesses.VARIABLE, id);
    return builder.start();
  }

  private List<Long> pids() {
    return processes.all().stream().map(ProcessHandle::pid).collect(Collectors.toList());
  }

  private void awaitOne() {
    await("one process")
        .atMost(Duration.ofSeconds(5))
        .until(() -> processes.all().size(), count -> count == 1);
  }

  @Test
  void findsThoseWithTheMarkOnly() throws Exception {
    Process ours = start(id, "exec sleep 60");
    Process other = start(id + "0", "exec sleep 60");
    try {
      awaitOne();
      assertEquals(List.of(ours.pid()), pids());
      assertTrue(processes.isOurs(ours.pid()));
      assertFalse(processes.isOurs(other.pid()));
    } finally {
      other.destroyForcibly();
    }
  }

  /** In the midst of an exec the kernel shows no environment. */
  @Test
  void aProcessThatTurnsIntoAnotherProgramStaysOurs() throws Exception {
    Process turning = start(id, "export AGAIN='exec sh -c \"$AGAIN\"'; eval \"$AGAIN\"");
    for (long until = System.nanoTime() + 1_000_000_000; System.nanoTime() < until; ) {
      assertTrue(processes.isOurs(turning.pid()));
    }
    assertTrue(turning.isAlive());
  }

  @Test
  void findsAProcessWhoseParentIsGone() throws Exception {
    start(id, "sleep 60 & exit").waitFor();
    awaitOne();
  }

  @Test
  void asksFirst() throws Exception {
    Process polite = start(id, "trap 'exit 7' TERM; while :; do sleep 0.1; done");
    awaitTrap(polite);
    processes.stop(List.of(polite.toHandle()), 10_000);
    assertEquals(7, polite.waitFor());
  }

  @Test
  void killsThoseThatDoNotListen() throws Exception {
    Process deaf = start(id, "trap '' TERM; while :; do sleep 0.1; done");
    awaitTrap(deaf);
    processes.stop(List.of(deaf.toHandle()), 300);
    assertEquals(128 + 9, deaf.waitFor());
  }

  /** The trap is set when the loop runs: its first sleep is a child. */
  private static void awaitTrap(Process process) {
    await("the loop runs")
        .atMost(Duration.ofSeconds(4))
        .pollInterval(Duration.ofMillis(20))
        .failFast("it has ended", () -> !process.isAlive())
        .until(() -> process.children().count() > 0);
  }
}
