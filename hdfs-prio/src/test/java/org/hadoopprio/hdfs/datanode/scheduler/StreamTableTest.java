// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.disktime.Tenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamTableTest {

  private static final int READ = 64 << 10;
  private static final int BLOCK = 128 << 20;

  private final StreamTable table = new StreamTable();

  private Stream read(long block, long offset, long length, long atMillis) {
    return table.of(
        block, offset, length, new Owner(DiskClass.BEST_EFFORT, Tenant.DEFAULT), ms(atMillis));
  }

  private Stream read(long block, long offset) {
    return read(block, offset, READ, 0);
  }

  @Test
  void aLongReadIsAStream() {
    assertNull(read(1, 0, StreamTable.SHORT_BYTES, 0));
    Stream stream = read(2, 0, StreamTable.SHORT_BYTES + 1, 0);
    assertNotNull(stream);
    assertNotSame(stream, read(3, 0, BLOCK, 0));
  }

  /** An HBase block with the header of the next; where a read may begin is HDFS's affair. */
  @ParameterizedTest
  @CsvSource({"0, 1", "33, 1", "33, 512", "0, 512", "4096, 1", "-4096, 1", "-100, 512"})
  void shortReadsThatContinueEachOtherAreAStream(int overlap, int alignment) {
    long offset = 0;
    assertNull(read(1, offset), "nothing says so yet");
    Stream stream = null;
    for (int i = 1; i < 100; i++) {
      offset += READ - overlap;
      offset -= offset % alignment;
      Stream now = read(1, offset);
      assertEquals(i > 1, now != null, "read " + i);
      assertTrue(stream == null || stream == now);
      stream = now;
    }
  }

  @Test
  void aLongReadMayBeContinued() {
    Stream stream = read(1, 0, 1 << 20, 0);
    assertSame(stream, read(1, 1 << 20));
    assertSame(stream, read(1, (1 << 20) + READ, 1 << 20, 0));
  }

  @Test
  void aReadElsewhereInTheBlockContinuesNothing() {
    read(1, 0);
    assertNull(read(1, READ + 4 * StreamTable.SLACK_BYTES));
    assertNull(read(1, READ - 4 * StreamTable.SLACK_BYTES));
    assertNull(read(2, READ), "another block");
  }

  @Test
  void theSameReadAgainContinuesNothing() {
    for (int i = 0; i < 10; i++) {
      assertNull(read(1, 0));
    }
  }

  @Test
  void randomReadsAreHardlyEverAStream() {
    Random random = new Random(1);
    int taken = 0;
    int reads = 20_000;
    for (int i = 0; i < reads; i++) {
      // 200 a second, of a table of 1 GiB.
      long offset = (long) random.nextInt(BLOCK / READ) * READ;
      if (read(random.nextInt(8), offset, READ, 5L * i) != null) {
        taken++;
      }
    }
    assertTrue(taken < reads / 500, taken + " of " + reads);
  }

  @Test
  void twoScansOfOneBlockAreTwoStreams() {
    long other = 10 * READ;
    for (int i = 0; i < 2; i++) {
      read(1, (long) i * READ);
      read(1, other + (long) i * READ);
    }
    Stream first = read(1, 2 * READ);
    Stream second = read(1, other + 2 * READ);
    assertNotSame(first, second);
    for (int i = 3; i < 8; i++) {
      assertSame(first, read(1, (long) i * READ));
      assertSame(second, read(1, other + (long) i * READ));
    }
  }

  @Test
  void classesAreKeptApart() {
    Stream stream = read(1, 0, 1 << 20, 0);
    assertNull(table.of(1, 1 << 20, READ, new Owner(DiskClass.IDLE, Tenant.DEFAULT), 0));
    assertSame(stream, read(1, 1 << 20));
  }

  @Test
  void afterTwoSecondsItWouldBeChance() {
    Stream stream = read(1, 0, 1 << 20, 0);
    assertSame(stream, read(1, 1 << 20, READ, 2_000));
    assertNull(read(1, (1 << 20) + READ, READ, 4_001));
  }

  @Test
  void memoryIsBounded() {
    Stream stream = read(0, 0, 1 << 20, 0);
    for (int block = 1; block < 4096; block++) {
      read(block, 0);
    }
    Stream known = read(0, 1 << 20);
    assertSame(stream, known);
    for (int block = 1; block <= 4096; block++) {
      read(block, BLOCK / 2);
    }
    assertNull(read(0, (1 << 20) + READ), "the oldest is forgotten");
  }

  @Test
  void anOffsetBelowTheSlackDoesNoHarm() {
    assertNull(read(1, 0, 10, 0));
    assertNull(read(1, 10, 10, 0));
    assertNotNull(read(1, 20, 10, 0));
    assertNull(
        table.of(
            Long.MIN_VALUE,
            Long.MAX_VALUE - READ,
            READ,
            new Owner(DiskClass.IDLE, Tenant.DEFAULT),
            0));
  }
}
