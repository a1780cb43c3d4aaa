// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.stream.Stream;
import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.disktime.TenantCounters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What tenants have of a disk, however many they are, on a drive without priority. */
class TenantsTest {

  private static final int SECONDS = 60;

  private static final DiskModel DISK =
      new DiskModel.Builder().read(DiskModel.CURVE_MEAN + 0.358).build();

  private final Tenant first = new Tenant("first");
  private final Tenant second = new Tenant("second");
  private final DiskSimulation disk = new DiskSimulation(DiskSettings.DEFAULT, DISK);

  private void streams(Tenant tenant, int count, String priority) {
    streams(disk, tenant, count, priority);
  }

  private static void streams(DiskSimulation disk, Tenant tenant, int count, String priority) {
    for (int i = 0; i < count; i++) {
      Stated.stream(disk, priority).setTenant(tenant);
    }
  }

  private void shorts(Tenant tenant, int count) {
    shorts(disk, tenant, count, "none");
  }

  private static void shorts(DiskSimulation disk, Tenant tenant, int count, String priority) {
    for (int i = 0; i < count; i++) {
      Stated.closed(disk, priority).setTenant(tenant);
    }
  }

  @ParameterizedTest
  @CsvSource({"32, 1", "1, 32", "4, 4", "1, 1"})
  void equalTenantsHaveTheSameHoweverManyStreamsTheyHave(int ofFirst, int ofSecond) {
    streams(first, ofFirst, "none");
    streams(second, ofSecond, "none");
    disk.run(SECONDS);
    assertEquals(0.5, disk.part(first), 0.05);
    assertEquals(0.5, disk.part(second), 0.05);
  }

  @ParameterizedTest
  @CsvSource({"32, 1", "1, 32", "8, 8"})
  void tenantsHaveDiskTimeByTheirWeights(int ofFirst, int ofSecond) {
    second.setTerms(new Tenant.Terms(4, 0, 1));
    streams(first, ofFirst, "none");
    streams(second, ofSecond, "none");
    disk.run(SECONDS);
    assertEquals(4, disk.part(second) / disk.part(first), 0.4);
    assertTrue(disk.part(first) + disk.part(second) > 0.97, "all of the disk is used");
  }

  /** Classes and levels count within a tenant only. */
  @Test
  void aTenantCannotTakeMoreByALevelOrAClass() {
    streams(first, 8, "be:0");
    streams(second, 8, "idle");
    disk.run(SECONDS);
    assertEquals(0.5, disk.part(first), 0.05);
    assertEquals(0.5, disk.part(second), 0.05);
  }

  @Test
  void shortReadsOfOneTakeNoMoreFromAnothersStream() {
    shorts(first, 64);
    streams(second, 1, "none");
    disk.run(SECONDS);
    assertEquals(0.5, disk.part(second), 0.05);
    assertEquals(0.5, disk.part(first), 0.05);
  }

  @ParameterizedTest
  @CsvSource({"64, 150", "8, 180"})
  void aShortReadOfOneWaitsForFewOfAnother(int others, int most) {
    shorts(first, others);
    ShortReader reader = Stated.closed(disk, "none");
    reader.setTenant(second);
    disk.run(SECONDS);
    assertTrue(reader.millis(0.95) < most, reader.millis(0.95) + " ms");
  }

  @Test
  void aGuaranteeIsKeptWhateverTheWeight() {
    second.setTerms(new Tenant.Terms(0.01, 0.3, 1));
    streams(first, 32, "none");
    streams(second, 1, "none");
    disk.run(SECONDS);
    assertTrue(disk.part(second) >= 0.27, disk.part(second) + "");
    assertTrue(disk.part(first) >= 0.6, disk.part(first) + "");
  }

  @ParameterizedTest
  @CsvSource({"0", "8"})
  void aLimitHoldsAloneAndBesideOthers(int others) {
    first.setTerms(new Tenant.Terms(10, 0, 0.3));
    streams(first, 8, "none");
    streams(second, others, "none");
    disk.run(SECONDS);
    assertTrue(disk.part(first) <= 0.31 && disk.part(first) >= 0.27, disk.part(first) + "");
    assertTrue(others == 0 || disk.part(second) > 0.67, disk.part(second) + "");
  }

  @Test
  void aLimitHoldsForShortReads() {
    first.setTerms(new Tenant.Terms(1, 0, 0.2));
    shorts(first, 16);
    disk.run(SECONDS);
    assertTrue(disk.part(first) <= 0.21 && disk.part(first) >= 0.17, disk.part(first) + "");
  }

  /** A turn of others is as long as if they were alone; at its end the read is first. */
  @Test
  void aShortReadWaitsForATurnOfAnotherTenant() {
    streams(first, 16, "none");
    streams(new Tenant("third"), 1, "none");
    ShortReader reader = Stated.closed(disk, "none");
    reader.setTenant(second);
    disk.run(SECONDS);
    // Those have 800 / 16 ms and 100 ms.
    assertTrue(reader.millis(0.5) < 75, reader.millis(0.5) + " ms");
    assertTrue(reader.millis(0.999) < 125, reader.millis(0.999) + " ms");
  }

  private static double p95OfFewGets(DiskSimulation disk, Tenant tenant) {
    ShortReader gets = Stated.open(disk, "rt:0", 5);
    gets.setTenant(tenant);
    disk.run(SECONDS);
    return gets.millis(0.95);
  }

  /**
   * The read of the flood that is at the disk goes on, which is much beside a disk that is free.
   */
  @ParameterizedTest
  @CsvSource({"0, 1.6", "16, 1.5"})
  void aFloodOfRealtimeReadsHardlyDelaysThoseOfAnother(int streams, double most) {
    Tenant third = new Tenant("third");
    DiskSimulation alone = new DiskSimulation(DiskSettings.DEFAULT, DISK);
    streams(alone, third, streams, "none");
    double bound = p95OfFewGets(alone, second);
    shorts(disk, first, 64, "rt:0");
    streams(third, streams, "none");
    double beside = p95OfFewGets(disk, second);
    assertTrue(beside <= most * bound, beside + " ms, alone " + bound + " ms");
    assertTrue(disk.part(first) > 0.2, "the other goes on: " + disk.part(first));
  }

  @Test
  void aLimitHoldsForRealtimeReads() {
    first.setTerms(new Tenant.Terms(1, 0, 0.3));
    shorts(disk, first, 16, "rt:0");
    disk.run(SECONDS);
    assertTrue(disk.part(first) <= 0.31 && disk.part(first) >= 0.26, disk.part(first) + "");
  }

  /** What one has on other disks counts on none (docs/policy.md, "Tenants"). */
  @Test
  void whoReadsOneDiskOfThreeHasHalfOfThatOne() {
    double ofFirst = 0;
    double ofSecond = 0;
    for (int i = 0; i < 3; i++) {
      DiskSimulation each = new DiskSimulation(DiskSettings.DEFAULT, DISK);
      streams(each, first, i == 0 ? 8 : 0, "none");
      streams(each, second, 8, "none");
      each.run(SECONDS);
      ofFirst += each.part(first);
      ofSecond += each.part(second);
    }
    assertEquals(0.5, ofFirst, 0.05);
    assertEquals(2.5, ofSecond, 0.1);
  }

  /** What all have read, in MB/s: so many streams, or short reads if negative, of each tenant. */
  private static double[] megabytesPerSecond(int... counts) {
    DiskSimulation disk = new DiskSimulation(DiskSettings.DEFAULT, DISK);
    for (int count : counts) {
      Tenant tenant = new Tenant("of " + count);
      streams(disk, tenant, count, "none");
      shorts(disk, tenant, -count, "none");
    }
    disk.run(SECONDS);
    double[] each = new double[counts.length];
    int reader = 0;
    for (int i = 0; i < counts.length; i++) {
      for (int j = 0; j < Math.abs(counts[i]); j++) {
        each[i] += disk.readers.get(reader++).megabytesPerSecond();
      }
    }
    return each;
  }

  /**
   * R-values (M. Wachs et al., Argon, FAST 2007): by its part of what it has alone. Of many short
   * reads the drive picks the nearest, but at the end of each turn there are few.
   */
  @ParameterizedTest
  @CsvSource({"16 4", "16 1", "16 -16", "4 -16", "16 4 -16", "16 4 -16 -4"})
  void aTenantHasNearlyItsPartOfWhatItHasAlone(String mix) {
    int[] counts = Stream.of(mix.split(" ")).mapToInt(Integer::parseInt).toArray();
    double[] together = megabytesPerSecond(counts);
    for (int i = 0; i < counts.length; i++) {
      double part = megabytesPerSecond(counts[i])[0] / counts.length;
      String what = String.format("%d has %.2f", counts[i], together[i] / part);
      assertTrue(together[i] > (counts[i] < -4 ? 0.86 : 0.9) * part, what);
    }
  }

  /** It ends the turns of the other, and pays for the way. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void whoHasADueReadAtAllTimesCostsOthersLittleMoreThanHisShare(int readers) {
    double alone = megabytesPerSecond(16)[0];
    streams(first, 16, "none");
    shorts(disk, second, readers, "be:4@1ms");
    disk.run(SECONDS);
    double beside = 0;
    for (Reader stream : disk.readers.subList(0, 16)) {
      beside += stream.megabytesPerSecond();
    }
    assertTrue(beside > 0.93 * alone / 2, beside + " MB/s, alone " + alone);
  }

  /**
   * A round is five times 800 ms, or with 20 ms for each turn of 16 tenants 5.1 s; a stream that is
   * far may come in the next one.
   */
  @ParameterizedTest
  @CsvSource({"2, 2", "16, 1"})
  void theStreamsOfManyTenantsComeRoundInTime(int ofOne, int ofEach) {
    streams(first, ofOne, "none");
    for (int i = 0; i < 15; i++) {
      streams(new Tenant("of " + i), ofEach, "none");
    }
    disk.run(SECONDS);
    for (Reader stream : disk.readers) {
      double millis = stream.longestWait / (double) Reader.MS;
      assertTrue(millis < 10_000, millis + " ms");
    }
  }

  private double blamed(Tenant waiter, Tenant holder) {
    TenantCounters its = disk.counters(waiter);
    long blamed = 0;
    for (Map.Entry<Owner, Long> each : its.blamedNanos().entrySet()) {
      blamed += each.getKey().tenant() == holder ? each.getValue() : 0;
    }
    return blamed / (double) its.waitNanos();
  }

  @Test
  void blameSaysWhoHadTheDisk() {
    streams(first, 8, "none");
    streams(second, 1, "none");
    disk.run(SECONDS);
    assertTrue(blamed(second, first) > 0.95, "second on first: " + blamed(second, first));
    assertEquals(0.5, blamed(first, second), 0.1);
    assertEquals(0.5, blamed(first, first), 0.1);
  }
}
