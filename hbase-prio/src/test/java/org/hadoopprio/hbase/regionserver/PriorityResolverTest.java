// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PriorityResolverTest {

  private static final TablePriority NO_TABLE_PRIORITY = table("t", null);

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // operation, request, connection, table, default -> priority
        "rt:3, be:1, be:2, be:3, be:4, rt:3",
        "-,    be:1, be:2, be:3, be:4, be:1",
        "-,    -,    be:2, be:3, be:4, be:2",
        "-,    -,    -,    be:3, be:4, be:3",
        "-,    -,    -,    -,    be:4, be:4",
        "-,    -,    -,    -,    -,    -",
        "none, idle, -,    be:3, be:4, none",
        "-,    none, idle, be:3, -,    none",
        "turbo,be:1, -,    be:3, -,    be:1",
        "turbo,rt:9, '',   be:3, -,    be:3",
        "turbo,rt:9, '',   oops, -,    -",
      })
  void theFirstSourceThatSpeaksDecides(
      String operation,
      String request,
      String connection,
      String table,
      String preset,
      String expected)
      throws Exception {
    PriorityResolver resolver = resolver("rt:0", preset);
    IoPriority resolved =
        resolver.resolve(
            Calls.call(null, request, connection),
            operation == null ? null : Bytes.toBytes(operation),
            table("t", table));
    assertEquals(expected == null ? null : IoPriority.parse(expected), resolved);
  }

  @ParameterizedTest
  @CsvSource({
    "be:0, rt:0, be:0",
    "be:0, be:0, be:0",
    "be:0, idle, idle",
    "rt:2, rt:0, rt:2",
    "rt:2, rt:3, rt:3",
    "be:6, none, be:6",
    "be:2, none, none",
    "idle, rt:0, idle"
  })
  void nothingMoreUrgentThanTheLimitIsGranted(String highest, String asked, String granted)
      throws Exception {
    long before = PriorityMetrics.CLAMPED.sum();
    assertEquals(
        IoPriority.parse(granted),
        resolver(highest, "").resolve(Calls.call(null, asked, null), null, NO_TABLE_PRIORITY));
    boolean tooMuch = !asked.equals("none") && !asked.equals(granted);
    assertEquals(tooMuch ? 1 : 0, PriorityMetrics.CLAMPED.sum() - before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"turbo", "rt:9", "", " rt", "RT", "rt:", "rt:10", "\u0000\u00ff"})
  void unreadableHintsAreCountedOnceAndOnlyWhenReported(String text) throws Exception {
    PriorityResolver resolver = resolver("rt:0", "");
    long before = PriorityMetrics.MALFORMED.sum();
    byte[] attribute = Bytes.toBytes(text);
    assertNull(
        resolver.peek(
            attribute, new CallRequester(Calls.call(null, null, null), NO_TABLE_PRIORITY)));
    assertEquals(0, PriorityMetrics.MALFORMED.sum() - before);
    assertNull(resolver.resolve(Calls.call(null, null, null), attribute, NO_TABLE_PRIORITY));
    assertEquals(1, PriorityMetrics.MALFORMED.sum() - before);
  }

  @Test
  void systemTablesAndUnknownOnesTakeNoDefault() throws Exception {
    PriorityResolver resolver = resolver("be:0", "be:7");
    assertNull(resolver.resolve(Calls.call(null, null, null), null, table("hbase:meta", null)));
    assertNull(resolver.resolve(Calls.call(null, null, null), null, null));
  }

  /** Everybody waits for what is read there. */
  @ParameterizedTest
  @CsvSource({"idle, none", "be:7, none", "be:5@50ms, none", "be:4, be:4", "be:1, be:1"})
  void hbasesOwnTablesAreReadAtNormalAtLeast(String asked, String granted) throws Exception {
    PriorityResolver resolver = resolver("be:0", "");
    for (String name : new String[] {"hbase:meta", "hbase:acl"}) {
      TablePriority table = table(name, null);
      IoPriority expected = IoPriority.parse(granted);
      assertEquals(expected, resolver.resolve(Calls.call(null, asked, null), null, table));
      assertEquals(
          expected, resolver.peek(null, new CallRequester(Calls.call(null, null, asked), table)));
    }
  }

  @Test
  void aDefaultBeyondTheLimitIsRefused() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> resolver("be:2", "be:1")).getMessage();
    assertTrue(message.contains(HBaseKeys.DEFAULT.name()), message);
    assertTrue(message.contains(HBaseKeys.HIGHEST.name()), message);
  }

  @Test
  void aLimitThatCannotBeReadIsRefused() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> resolver("turbo", "")).getMessage();
    assertTrue(message.contains(HBaseKeys.HIGHEST.name()), message);
    assertTrue(message.contains("be:0 to be:7"), message);
  }

  static PriorityPolicy policy(String highest, String preset) {
    Configuration conf = new Configuration(false);
    conf.set(HBaseKeys.HIGHEST.name(), highest);
    conf.set(HBaseKeys.DEFAULT.name(), preset == null ? "" : preset);
    return PriorityPolicy.from(conf);
  }

  static TablePriority table(String name, String priority) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(TableName.valueOf(name));
    if (priority != null) {
      builder.setValue("IO_PRIORITY", priority);
    }
    return TablePriority.of(builder.build());
  }

  private static PriorityResolver resolver(String highest, String preset) {
    return new PriorityResolver(policy(highest, preset));
  }
}
