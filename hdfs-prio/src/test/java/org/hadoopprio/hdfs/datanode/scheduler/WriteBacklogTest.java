// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.limits;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.disktime.Stream;
import org.junit.jupiter.api.Test;

class WriteBacklogTest {

  private static final long MIB = 1 << 20;
  private static final long PIECE = 256 << 10;

  /** What the disk needs for a piece, at 150 MB/s. */
  private static final long PIECE_NANOS = PIECE * 1_000 / 150;

  private final WriteBacklog backlog = new WriteBacklog(() -> 32 * MIB);

  @Test
  void aWriteCountsAsManyStreamsAsItHasTurnsOfData() {
    assertEquals(1, backlog.streams(0, MIB));
    assertEquals(1, backlog.streams(MIB / 2, MIB));
    backlog.change(0, 5 * MIB);
    assertEquals(5, backlog.streams(5 * MIB, MIB));
    assertEquals(16, backlog.streams(1000 * MIB, MIB));
  }

  @Test
  void manyWritesTogetherCountAsSixteenStreamsOrAsManyAsTheyAre() {
    for (int i = 0; i < 4; i++) {
      backlog.change(0, MIB);
    }
    assertEquals(4, backlog.streams(1000 * MIB, MIB));
    backlog.change(MIB, 0);
    backlog.change(MIB, 0);
    assertEquals(8, backlog.streams(1000 * MIB, MIB));
    for (int i = 0; i < 100; i++) {
      backlog.change(0, MIB);
    }
    assertEquals(1, backlog.streams(1000 * MIB, MIB));
  }

  @Test
  void itIsFullAtTheLimit() {
    backlog.change(0, 32 * MIB - 1);
    assertFalse(backlog.isFull());
    backlog.change(32 * MIB - 1, 32 * MIB);
    assertTrue(backlog.isFull());
    backlog.change(32 * MIB, 0);
    assertEquals(0, backlog.bytes());
  }

  @Test
  void aWriteThatIsBehindGivesWayToSyncsAllTheSame() {
    Disk scheduler = scheduler();
    Ticket write = be(6, new Stream());
    write.setWrites();
    write.setStreams(16);
    assertTrue(scheduler.ask(write, 0));
    assertFalse(scheduler.ask(be(4, new Stream()), 0));
    assertTrue(scheduler.mayContinue(write, ms(30)), "its turn");
    Ticket sync = be(0, null);
    sync.setWrites();
    assertFalse(scheduler.ask(sync, ms(20)));
    assertFalse(scheduler.mayContinue(write, ms(30)), "a quarter of its turn");
  }

  private static Disk scheduler() {
    return new Disk(limits(0.65).disk(), 1, 0, new DiskCounters(), ticket -> {}, realtime -> false);
  }

  /**
   * In virtual time: 30 MB/s beside 16 streams of the same priority, a quarter of what they read.
   */
  @Test
  void aSteadyWriteKeepsUpBesideStreams() {
    Disk scheduler = scheduler();
    List<Ticket> streams = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      streams.add(be(4, new Stream()));
    }
    Ticket write = be(4, new Stream());
    write.setWrites();
    long now = ms(1);
    long written = 0;
    long most = 0;
    backlog.change(0, 1);
    for (Ticket stream : streams) {
      scheduler.ask(stream, now);
    }
    while (now < ms(120_000)) {
      long own = now * 30 / 1_000 - written;
      if (now > ms(30_000)) {
        most = Math.max(most, own);
      }
      if (write.isOut() && own >= PIECE) {
        write.setStreams(backlog.streams(own, scheduler.turnBytes(write, now)));
        scheduler.ask(write, now);
      }
      Ticket in = write.isIn() ? write : null;
      for (Ticket stream : streams) {
        in = stream.isIn() ? stream : in;
      }
      now += PIECE_NANOS;
      if (in == null) {
        scheduler.poll(now);
        continue;
      }
      in.read((int) PIECE);
      in.resume(now);
      written += in == write ? PIECE : 0;
      if (in == write && now * 30 / 1_000 - written < PIECE) {
        scheduler.done(write, now);
      } else if (!scheduler.mayContinue(in, now)) {
        if (in == write) {
          write.setStreams(
              backlog.streams(now * 30 / 1_000 - written, scheduler.turnBytes(write, now)));
        }
        scheduler.ask(in, now);
      }
    }
    assertTrue(most < 128 * MIB, most / MIB + " MiB were behind");
    assertTrue(written > 30 * 1_000_000L * 110, written + " bytes were written");
  }
}
