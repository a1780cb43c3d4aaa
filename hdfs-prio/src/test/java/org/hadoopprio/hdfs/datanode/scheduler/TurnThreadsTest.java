// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.limits;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitWaiting;
import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.linux.CachedPages;
import org.hadoopprio.linux.DescriptorNumber;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the disk of one volume may cost the others: no threads. */
@Timeout(60)
class TurnThreadsTest {

  private static final int MIB = 1 << 20;

  private final VolumeQueue other =
      new VolumeQueue("/data/2", limits(0.5), 1, System::nanoTime, reads -> false, () -> true);
  private Path file;
  private FileInputStream in;

  @BeforeAll
  static void openJavaIo() {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
  }

  @BeforeEach
  void aFileThatIsNotCached() throws Exception {
    file = Files.createTempFile(Path.of("").toAbsolutePath(), "threads", ".tmp");
    Files.write(file, new byte[MIB]);
    CachedPages.drop(file);
    in = new FileInputStream(file.toFile());
  }

  @AfterEach
  void remove() throws Exception {
    in.close();
    Files.delete(file);
  }

  private TurnReadahead stream(VolumeQueue queue) {
    return new TurnReadahead(queue, null, be(4, new Stream()), 0, MIB);
  }

  /** The threads that have work. */
  private static long threads() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().startsWith("hadoop-prio turns"))
        .filter(each -> !isIdle(each.getValue()))
        .count();
  }

  private static boolean isIdle(StackTraceElement[] stack) {
    return Arrays.stream(stack).noneMatch(call -> call.getClassName().startsWith("org.hadoopprio"));
  }

  @Test
  void streamsThatWaitForADiskTakeNoThreads() throws Exception {
    VolumeQueue hangs =
        new VolumeQueue("/data/1", limits(0.5), 1, System::nanoTime, reads -> false, () -> true);
    assertTrue(hangs.enter(be(4, new Stream()), () -> false));
    List<TurnReadahead> slow = new ArrayList<>();
    long before = threads();
    try {
      for (int i = 0; i < 1_100; i++) {
        TurnReadahead ahead = stream(hangs);
        slow.add(ahead);
        ahead.reach(0, 1, in.getFD(), null, hangs.now());
      }
      awaitWaiting(hangs, slow.size());
      assertTrue(threads() < before + 10, "threads wait: " + threads() + ", before " + before);
      assertEquals(0, hangs.status().getRefusedTurns());

      TurnReadahead elsewhere = stream(other);
      long until = other.now() + VolumeQueue.MAX_WAIT_NANOS;
      assertTrue(elsewhere.reach(0, MIB, in.getFD(), null, until));
      elsewhere.stop();
      aWriteTakesTurns();
    } finally {
      slow.forEach(TurnReadahead::stop);
    }
    assertEquals(0, hangs.status().getBestEffort().getWaiting());
  }

  private void aWriteTakesTurns() throws Exception {
    Ticket reader = be(4, new Stream());
    assertTrue(other.enter(reader, () -> false));
    long turns = other.counters().turns();
    Path written = Files.createTempFile(Path.of("").toAbsolutePath(), "threads", ".tmp");
    try (FileOutputStream out = new FileOutputStream(written.toFile())) {
      ScheduledWrite write =
          new ScheduledWrite(
              other,
              other.writes().backlog(null),
              null,
              1,
              VolumeQueue.MAX_WAIT_NANOS,
              0,
              MIB,
              CachedFile::open);
      other.writes().add(write);
      for (int i = 1; i <= 10; i++) {
        out.write(new byte[MIB]);
        write.written(out.getFD(), (long) i * MIB);
      }
      awaitWaiting(other, 1);
      other.done(reader);
      soon("the write has its turn").until(() -> other.counters().turns() == turns + 1);
      write.finish();
    } finally {
      Files.delete(written);
    }
  }

  /** A file of which nothing is on the disk, and all is written at once. */
  private static final class Dirty implements WrittenFile {
    @Override
    public long place(long offset) {
      return offset;
    }

    @Override
    public boolean isClean(long offset, long length) {
      return false;
    }

    @Override
    public boolean startWrite(long offset, long length) {
      return true;
    }

    @Override
    public boolean awaitWritten(long offset, long length) {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void writesThatWaitForADiskTakeNoThreads() throws Exception {
    Ticket reader = be(4, new Stream());
    assertTrue(other.enter(reader, () -> false));
    long before = threads();
    WriteBacklog backlog = new WriteBacklog(() -> Long.MAX_VALUE);
    List<ScheduledWrite> writes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ScheduledWrite write =
          new ScheduledWrite(
              other, backlog, null, 1, VolumeQueue.MAX_WAIT_NANOS, 0, MIB, source -> new Dirty());
      writes.add(write);
      other.writes().add(write);
      write.written(in.getFD(), 16 * MIB);
    }
    awaitWaiting(other, writes.size());
    // Those that have found out what is to be written have ended, or wait for other work.
    soon("few threads have work")
        .until(
            () -> {
              reader.resume(other.now());
              return threads() < before + 10;
            });
    assertEquals(writes.size(), other.status().getBestEffort().getWaiting());
    other.done(reader);
    for (ScheduledWrite write : writes) {
      soon("all is written").until(() -> write.counted() == 0);
      write.finish();
    }
    assertEquals(0, other.counters().refusedTurns());
  }

  @Test
  void aWriteToADiskThatHangsIsLeftToTheKernelAndTriedAgain() throws Exception {
    AtomicLong clock = new AtomicLong();
    VolumeQueue queue =
        new VolumeQueue("/data/1", limits(0.5), 1, clock::get, reads -> false, () -> true);
    Ticket reader = be(4, new Stream());
    assertTrue(queue.enter(reader, () -> false));
    ScheduledWrite write =
        new ScheduledWrite(
            queue,
            queue.writes().backlog(null),
            null,
            1,
            VolumeQueue.MAX_WAIT_NANOS,
            0,
            MIB,
            source -> new Dirty());
    write.written(in.getFD(), 16 * MIB);
    awaitWaiting(queue, 1);
    assertEquals(16L * MIB, write.counted());
    clock.addAndGet(VolumeQueue.MAX_WAIT_NANOS);
    reader.resume(clock.get());
    queue.look();
    soon("all is written").until(() -> write.counted() == 0);
    write.written(in.getFD(), 32 * MIB);
    soon("the write goes on").until(() -> write.position() == 32 * MIB);
    write.finish();
  }

  /** Work that does not come back from the disk. */
  private static final class Hangs implements TurnWork {
    private final CountDownLatch hangs;
    private final Semaphore begun;
    private final Semaphore ended;

    Hangs(CountDownLatch hangs, Semaphore begun, Semaphore ended) {
      this.hangs = hangs;
      this.begun = begun;
      this.ended = ended;
    }

    @Override
    public void inTurn() {
      begun.release();
      try {
        hangs.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void withoutTurn() {
      ended.release();
    }
  }

  @Test
  void aDiskThatHangsKeepsNoMoreThanItsThreadsAndSaysSo() throws Exception {
    AtomicLong clock = new AtomicLong();
    VolumeQueue queue =
        new VolumeQueue("/data/1", limits(0.5), 1, clock::get, reads -> false, () -> true);
    CountDownLatch hangs = new CountDownLatch(1);
    Semaphore begun = new Semaphore(0);
    Semaphore ended = new Semaphore(0);
    TurnWork work = new Hangs(hangs, begun, ended);
    try {
      for (int i = 0; i < TurnThreads.MAX_THREADS; i++) {
        queue.whenItHasATurn(be(4, new Stream()), work);
        begun.acquire();
        // The one that has the turn counts as lost then.
        clock.addAndGet(Disk.LOST_NANOS);
        queue.look();
        clock.addAndGet(Disk.GRACE_NANOS);
      }
      assertEquals(0, queue.counters().refusedTurns());
      for (int i = 1; i <= 3; i++) {
        queue.whenItHasATurn(be(4, new Stream()), work);
        ended.acquire();
        assertEquals(i, queue.status().getRefusedTurns());
        clock.addAndGet(Disk.GRACE_NANOS);
      }
      assertTrue(queue.enter(be(4, new Stream()), () -> false), "the turn was given back");
    } finally {
      hangs.countDown();
    }
  }

  @Test
  void workThatWaitsTooLongEndsWithoutATurn() throws Exception {
    AtomicLong clock = new AtomicLong();
    VolumeQueue queue =
        new VolumeQueue("/data/1", limits(0.5), 1, clock::get, reads -> false, () -> true);
    Ticket holder = be(4, new Stream());
    assertTrue(queue.enter(holder, () -> false));
    Semaphore ended = new Semaphore(0);
    TurnWork work = new Hangs(new CountDownLatch(0), new Semaphore(0), ended);
    queue.whenItHasATurn(be(4, new Stream()), work);
    assertEquals(1, queue.status().getBestEffort().getWaiting());
    clock.addAndGet(VolumeQueue.MAX_WAIT_NANOS - ms(1));
    holder.resume(clock.get());
    queue.look();
    assertEquals(1, queue.status().getBestEffort().getWaiting());
    clock.addAndGet(ms(1));
    holder.resume(clock.get());
    queue.look();
    ended.acquire();
    assertEquals(0, queue.status().getBestEffort().getWaiting());
    assertEquals(1, queue.counters().overdueWaits());
    assertTrue(queue.isOpen(clock.get()), "nobody had a turn");
    Semaphore begun = new Semaphore(0);
    queue.whenItHasATurn(
        be(4, new Stream()), new Hangs(new CountDownLatch(0), begun, new Semaphore(0)));
    begun.acquire();
  }

  @Test
  void workThatIsCancelledEndsOnce() throws Exception {
    Ticket holder = be(4, new Stream());
    assertTrue(other.enter(holder, () -> false));
    Semaphore begun = new Semaphore(0);
    Semaphore ended = new Semaphore(0);
    Ticket ticket = be(4, new Stream());
    other.whenItHasATurn(ticket, new Hangs(new CountDownLatch(0), begun, ended));
    other.cancel(ticket);
    other.cancel(ticket);
    assertEquals(1, ended.availablePermits());
    other.done(holder);
    assertEquals(Claim.State.OUT, ticket.state());
    assertEquals(0, begun.availablePermits());
  }
}
