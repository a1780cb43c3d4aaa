// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Durability;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.DBException;

class BindingSettingsTest {

  private static Properties properties(String... keysAndValues) {
    Properties properties = new Properties();
    properties.setProperty("columnfamily", "f");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.setProperty(keysAndValues[i], keysAndValues[i + 1]);
    }
    return properties;
  }

  private static BindingSettings settings(String... keysAndValues) throws DBException {
    return new BindingSettings(properties(keysAndValues));
  }

  @Test
  void defaultsAreThoseOfTheHBaseBindings() throws DBException {
    BindingSettings settings = settings();
    assertEquals("usertable", settings.table());
    assertEquals("f", settings.columnFamily());
    assertEquals(Durability.USE_DEFAULT, settings.durability());
    assertFalse(settings.clientBuffering());
    assertEquals(12 * 1024 * 1024, settings.writeBufferBytes());
    assertTrue(settings.usePageFilter());
    assertFalse(settings.debug());
    assertFalse(settings.hasKeytab());
  }

  @Test
  void withoutPriorityNoOperationCarriesOne() throws DBException {
    BindingSettings settings = settings();
    for (Operation operation : Operation.values()) {
      assertNull(settings.priorityOf(operation).draw(), operation.name());
      assertFalse(settings.priorityOf(operation).isMixed(), operation.name());
    }
  }

  @Test
  void oneTextSetsAllOperations() throws DBException {
    BindingSettings settings = settings("hbase.ioprio", "rt:0");
    for (Operation operation : Operation.values()) {
      assertSame(IoPriority.realtime(0), settings.priorityOf(operation).draw(), operation.name());
    }
  }

  @Test
  void anOperationsOwnPropertyWins() throws DBException {
    BindingSettings settings =
        settings(
            "hbase.ioprio", "rt:0", "hbase.ioprio.scan", "idle", "hbase.ioprio.delete", "none");
    assertSame(IoPriority.realtime(0), settings.priorityOf(Operation.READ).draw());
    assertSame(IoPriority.IDLE, settings.priorityOf(Operation.SCAN).draw());
    assertSame(IoPriority.NONE, settings.priorityOf(Operation.DELETE).draw());
  }

  @Test
  void aPercentageIsTheShareThatCarriesThePriority() throws DBException {
    BindingSettings settings =
        settings(
            "hbase.ioprio", "rt:0", "hbase.ioprio.percent", "30", "hbase.ioprio.scan.percent", "0");
    PriorityShare reads = settings.priorityOf(Operation.READ);
    assertTrue(reads.isMixed());
    int draws = 100_000;
    int carried = 0;
    for (int i = 0; i < draws; i++) {
      if (reads.draw() != null) {
        carried++;
      }
    }
    // The standard deviation of 30 % of 100000 is 145; ten times that does not happen by chance.
    assertEquals(30_000, carried, 1450);
    assertNull(settings.priorityOf(Operation.SCAN).draw());
    assertFalse(settings.priorityOf(Operation.SCAN).isMixed());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "hbase.ioprio, turbo, rt:0 to rt:7",
        "hbase.ioprio, rt:9, rt:0 to rt:7",
        "hbase.ioprio, \"\", rt:0 to rt:7",
        "hbase.ioprio.read, RT:1, rt:0 to rt:7",
        "hbase.ioprio.update, idle:3, rt:0 to rt:7",
        "durability, true, SKIP_WAL",
        "clientbuffering, yes, \"true, false\"",
        "hbase.usepagefilter, 1, \"true, false\"",
        "debug, \"\", \"true, false\"",
        "writebuffersize, 12MB, a number of bytes",
        "writebuffersize, 0, a number of bytes",
        "hbase.usescanvaluefiltering, true, \"false;\"",
      })
  void badValueIsRefusedWithPropertyValueAndAllowed(String key, String value, String allowed) {
    DBException refused = assertThrows(DBException.class, () -> settings(key, value));
    assertTrue(
        refused.getMessage().startsWith("property " + key + " = \"" + value + "\" is not allowed"),
        refused.getMessage());
    assertTrue(refused.getMessage().contains("allowed: "), refused.getMessage());
    assertTrue(refused.getMessage().contains(allowed), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"101", "-1", "half", "50.5", "''"})
  void badPercentageIsRefused(String percent) {
    for (String key : new String[] {"hbase.ioprio.percent", "hbase.ioprio.read.percent"}) {
      DBException refused =
          assertThrows(DBException.class, () -> settings("hbase.ioprio", "rt:0", key, percent));
      assertEquals(
          "property "
              + key
              + " = \""
              + percent
              + "\" is not allowed; allowed: a whole number from 0 to 100",
          refused.getMessage());
    }
  }

  @Test
  void aPercentageOfNoPriorityIsRefused() {
    assertThrows(DBException.class, () -> settings("hbase.ioprio.percent", "50"));
    assertThrows(
        DBException.class,
        () -> settings("hbase.ioprio.scan", "idle", "hbase.ioprio.read.percent", "50"));
  }

  @Test
  void aMisspeltPriorityPropertyIsRefused() {
    DBException refused =
        assertThrows(DBException.class, () -> settings("hbase.ioprio.raed", "rt:0"));
    assertTrue(refused.getMessage().contains("hbase.ioprio.raed"), refused.getMessage());
    assertTrue(refused.getMessage().contains("hbase.ioprio.read,"), refused.getMessage());
    assertThrows(DBException.class, () -> settings("hbase.ioprioo", "rt:0"));
  }

  @Test
  void theColumnFamilyHasNoDefault() {
    DBException refused =
        assertThrows(DBException.class, () -> new BindingSettings(new Properties()));
    assertTrue(
        refused.getMessage().startsWith("property columnfamily is not set"), refused.getMessage());
  }

  @Test
  void principalAndKeytabComeTogether() throws DBException {
    assertThrows(DBException.class, () -> settings("principal", "ycsb@EXAMPLE.COM"));
    assertThrows(DBException.class, () -> settings("keytab", "ycsb.keytab"));
    assertTrue(settings("principal", "ycsb@EXAMPLE.COM", "keytab", "ycsb.keytab").hasKeytab());
  }

  @Test
  void theClientsPropertiesReachItsConfigurationAndNoOthersDo() throws DBException {
    Configuration conf = new Configuration(false);
    settings(
            "hbase.zookeeper.quorum", "zk1,zk2",
            "zookeeper.znode.parent", "/hbase-test",
            "hadoop.security.authentication", "simple",
            "hbase.usepagefilter", "false",
            "hbase.ioprio", "rt:0",
            "recordcount", "1000")
        .applyTo(conf);
    assertEquals("zk1,zk2", conf.get("hbase.zookeeper.quorum"));
    assertEquals("/hbase-test", conf.get("zookeeper.znode.parent"));
    assertEquals("simple", conf.get("hadoop.security.authentication"));
    assertEquals(3, conf.size());
  }
}
