// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.trace;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Privileges;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.tools.trace.BlockTraceEvent;
import org.hadoopprio.tools.trace.BlockTraceInstance;
import org.hadoopprio.tools.trace.DeviceNumber;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces real reads of a real block device. */
class BlockTraceIT {

  private static final long MIB = 1 << 20;

  @TempDir Path directory;
  private Disk disk;
  private Path file;

  @BeforeEach
  void makeDisk() throws IOException {
    Need.ROOT.require(Privileges.isRoot(), "");
    disk = DiskKind.LOOP.create(directory, "disk", 64 * MIB);
    file = disk.directory().resolve("file");
    Files.write(file, new byte[(int) (8 * MIB)]);
    disk.evictPageCache();
  }

  @AfterEach
  void removeDisk() throws IOException {
    if (disk != null) {
      disk.close();
      assertEquals(List.of(), instances(), "a tracing instance is left");
    }
  }

  private static List<Path> instances() throws IOException {
    return instances(ProcessHandle.current().pid());
  }

  private static List<Path> instances(long pid) throws IOException {
    String own = "hprio-" + pid + "-";
    try (Stream<Path> found = Files.list(Path.of("/sys/kernel/tracing/instances"))) {
      return found
          .filter(path -> path.getFileName().toString().startsWith(own))
          .collect(Collectors.toList());
    }
  }

  private List<DeviceNumber> device() {
    return List.of(disk.device().orElseThrow());
  }

  /** Reads 4 MiB past the page cache. */
  private void read(String... ionice) throws IOException {
    List<String> command = new ArrayList<>(List.of(ionice));
    Collections.addAll(
        command, "dd", "if=" + file, "of=/dev/null", "bs=64k", "count=64", "iflag=direct");
    SystemCommand.run(command.toArray(new String[0]));
  }

  @Test
  void countsBytesByPriority() throws IOException {
    BlockTraceSummary summary;
    List<BlockTraceEvent> events = Collections.synchronizedList(new ArrayList<>());
    try (BlockTrace trace = BlockTrace.start(device(), events::add)) {
      read("ionice", "-c1", "-n3");
      read("ionice", "-c3");
      read("ionice", "-c3");
      read();
      summary = trace.stop();
    }
    assertEquals(4 * MIB, summary.reads(IoPriority.realtime(3)).bytes());
    assertEquals(8 * MIB, summary.reads(IoPriority.IDLE).bytes());
    // Without a priority also goes what the file system reads for itself.
    assertTrue(summary.reads(IoPriority.NONE).bytes() >= 4 * MIB, summary.toString());
    assertEquals(0, summary.lostEvents());
    assertEquals(
        4 * MIB,
        events.stream()
            .filter(e -> e.isRead() && e.priority().orElseThrow().equals("rt,0,3"))
            .peek(e -> assertEquals("dd", e.comm()))
            .mapToLong(BlockTraceEvent::bytes)
            .sum());
  }

  /** A program with an instance of its own. */
  static final class Holder {

    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      BlockTraceInstance instance = BlockTraceInstance.create();
      instance.start(List.of(new DeviceNumber(7, 1 << 10)), 4);
      System.out.println("ready");
      Thread.sleep(60_000);
    }
  }

  @Test
  void aSignalLeavesNoInstance() throws Exception {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                Holder.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals("ready", said.readLine());
      assertEquals(1, instances(holder.pid()).size());
      holder.destroy();
      holder.waitFor();
      assertEquals(List.of(), instances(holder.pid()));
    } finally {
      holder.destroyForcibly();
    }
  }

  @Test
  void seesNoOtherDevice() throws IOException {
    DeviceNumber other = new DeviceNumber(7, 1 << 10);
    try (BlockTrace trace = BlockTrace.start(List.of(other))) {
      read("ionice", "-c1");
      assertEquals(0, trace.stop().allReads().requests());
    }
  }

  /**
   * Up to 5 s after a mount ext4 begins to fetch what it may need (fs/ext4/super.c,
   * EXT4_DEF_LI_MAX_START_DELAY). A thread of the kernel waits for that as soon as it is mounted;
   * it is another file system's if it stays.
   */
  private static void awaitNothingToFetch() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(6);
    while (isSomethingToFetch() && System.nanoTime() < end) {
      Thread.sleep(10);
    }
  }

  private static boolean isSomethingToFetch() {
    return ProcessHandle.allProcesses()
        .map(process -> Path.of("/proc", Long.toString(process.pid()), "comm"))
        .anyMatch(
            name -> {
              try {
                return Files.readString(name).equals("ext4lazyinit\n");
              } catch (IOException e) {
                // It has ended.
                return false;
              }
            });
  }

  @Test
  void aFileSystemThatNobodyUsesIsNotRead() throws Exception {
    try (Disk many = DiskKind.LOOP.create(directory, "many-groups", 4096 * MIB);
        BlockTrace trace = BlockTrace.start(List.of(many.device().orElseThrow()))) {
      awaitNothingToFetch();
      BlockTraceSummary summary = trace.stop();
      assertEquals(0, summary.allReads().requests(), summary.toString());
    }
  }

  @Test
  void showsWhatItHasSoFar() throws Exception {
    try (BlockTrace trace = BlockTrace.start(device())) {
      read("ionice", "-c1", "-n0");
      await("the reads are in the trace")
          .atMost(Duration.ofSeconds(5))
          .until(() -> trace.soFar().reads(IoPriority.realtime(0)).bytes() > 0);
    }
  }

  @Test
  void tellsOfLostEvents() throws IOException {
    // The listener stands still, so the smallest buffer must overflow.
    CountDownLatch reading = new CountDownLatch(1);
    try (BlockTrace trace =
        BlockTrace.start(
            device(),
            event -> {
              try {
                reading.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            4,
            false)) {
      SystemCommand.run("dd", "if=" + file, "of=/dev/null", "bs=4k", "count=2000", "iflag=direct");
      reading.countDown();
      BlockTraceSummary summary = trace.stop();
      assertTrue(summary.lostEvents() > 0, summary.toString());
      assertTrue(summary.allReads().requests() < 2000, summary.toString());
    }
  }

  @Test
  void closesAfterAListenerThatFails() throws IOException {
    BlockTrace trace =
        BlockTrace.start(
            device(),
            event -> {
              throw new IllegalStateException("no more");
            });
    read();
    IOException failure = assertThrows(IOException.class, trace::stop);
    assertEquals("no more", failure.getCause().getMessage());
    trace.close();
  }

  @Test
  void removesWhatADeadProcessHasLeft() throws IOException {
    long dead = deadProcess();
    Path left = Path.of("/sys/kernel/tracing/instances/hprio-" + dead + "-1");
    try (BlockTrace trace = BlockTrace.start(device())) {
      Files.createDirectory(left);
      assertTrue(Files.exists(left));
      BlockTrace.removeLeftovers();
      assertFalse(Files.exists(left));
      assertEquals(1, instances().size(), "the trace of a living process stays");
      trace.stop();
    }
  }

  private static long deadProcess() throws IOException {
    Process process = new ProcessBuilder("true").start();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return process.pid();
  }
}
