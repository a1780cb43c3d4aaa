// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Durability;
import org.hadoopprio.IoPriority;
import site.ycsb.DBException;
import site.ycsb.workloads.CoreWorkload;

/**
 * The binding's properties, read and checked once.
 *
 * <p>Immutable and thread-safe.
 */
final class BindingSettings {

  static final String COLUMN_FAMILY = "columnfamily";
  static final String DURABILITY = "durability";
  static final String CLIENT_BUFFERING = "clientbuffering";
  static final String WRITE_BUFFER_SIZE = "writebuffersize";
  static final String DEBUG = "debug";
  static final String PRINCIPAL = "principal";
  static final String KEYTAB = "keytab";
  static final String USE_PAGE_FILTER = "hbase.usepagefilter";
  static final String USE_SCAN_VALUE_FILTERING = "hbase.usescanvaluefiltering";
  static final String SCAN_FILTER_OPERATOR = "hbase.scanfilteroperator";
  static final String IO_PRIORITY = "hbase.ioprio";

  private static final String PERCENT = ".percent";
  private static final String DEFAULT_WRITE_BUFFER_BYTES = Long.toString(12L << 20);

  /** Keys with these prefixes go to the HBase client, except for those that the binding reads. */
  private static final List<String> HBASE_PREFIXES = List.of("hbase.", "zookeeper.", "hadoop.");

  private static final List<String> OWN_HBASE_KEYS =
      List.of(USE_PAGE_FILTER, USE_SCAN_VALUE_FILTERING, SCAN_FILTER_OPERATOR);

  private final Properties properties;
  private final String table;
  private final String columnFamily;
  private final Durability durability;
  private final boolean clientBuffering;
  private final long writeBufferBytes;
  private final boolean debug;
  private final String principal;
  private final String keytab;
  private final boolean usePageFilter;
  private final Map<Operation, PriorityShare> priorities;
  private final Map<String, String> hbaseProperties;

  /**
   * Reads and checks the properties.
   *
   * @throws DBException if a property is invalid; the message names it, its value and what is
   *     allowed
   */
  BindingSettings(Properties properties) throws DBException {
    this.properties = properties;
    table =
        properties.getProperty(
            CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT);
    columnFamily = properties.getProperty(COLUMN_FAMILY, "");
    if (columnFamily.isEmpty()) {
      throw refused(COLUMN_FAMILY, "the name of a column family of the table; it has no default");
    }
    durability = parseDurability();
    clientBuffering = flag(CLIENT_BUFFERING, false);
    writeBufferBytes = parseWriteBufferBytes();
    debug = flag(DEBUG, false);
    principal = properties.getProperty(PRINCIPAL);
    keytab = properties.getProperty(KEYTAB);
    if ((principal == null) != (keytab == null)) {
      throw refused(
          principal == null ? PRINCIPAL : KEYTAB,
          "a value, because " + (principal == null ? KEYTAB : PRINCIPAL) + " is set");
    }
    usePageFilter = flag(USE_PAGE_FILTER, true);
    if (flag(USE_SCAN_VALUE_FILTERING, false)) {
      throw refused(USE_SCAN_VALUE_FILTERING, "false; this binding does not filter by value");
    }
    priorities = parsePriorities();
    hbaseProperties = collectHbaseProperties();
  }

  private Durability parseDurability() throws DBException {
    String text = properties.getProperty(DURABILITY, Durability.USE_DEFAULT.name());
    try {
      return Durability.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw refused(DURABILITY, Arrays.toString(Durability.values()), e);
    }
  }

  private boolean flag(String key, boolean defaultValue) throws DBException {
    String text = properties.getProperty(key, Boolean.toString(defaultValue));
    if (text.equalsIgnoreCase("true")) {
      return true;
    }
    if (text.equalsIgnoreCase("false")) {
      return false;
    }
    throw refused(key, "true, false");
  }

  private long parseWriteBufferBytes() throws DBException {
    String allowed = "a number of bytes, at least 1";
    try {
      long bytes =
          Long.parseLong(properties.getProperty(WRITE_BUFFER_SIZE, DEFAULT_WRITE_BUFFER_BYTES));
      if (bytes < 1) {
        throw refused(WRITE_BUFFER_SIZE, allowed);
      }
      return bytes;
    } catch (NumberFormatException e) {
      throw refused(WRITE_BUFFER_SIZE, allowed, e);
    }
  }

  private Map<Operation, PriorityShare> parsePriorities() throws DBException {
    rejectUnknownPriorityKeys();
    Map<Operation, PriorityShare> shares = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      shares.put(operation, parseShare(operation));
    }
    String general = IO_PRIORITY + PERCENT;
    if (properties.containsKey(general)
        && shares.values().stream().allMatch(share -> share == PriorityShare.NOTHING)) {
      throw refused(general, "this property only if " + IO_PRIORITY + " states a priority");
    }
    return shares;
  }

  private PriorityShare parseShare(Operation operation) throws DBException {
    String own = IO_PRIORITY + "." + operation.propertyName();
    String key = properties.containsKey(own) ? own : IO_PRIORITY;
    String percentKey =
        properties.containsKey(own + PERCENT) ? own + PERCENT : IO_PRIORITY + PERCENT;
    int percent = parsePercent(percentKey);
    String text = properties.getProperty(key);
    if (text == null) {
      if (percentKey.startsWith(own)) {
        throw refused(
            percentKey, "this property only if " + own + " or " + IO_PRIORITY + " is set");
      }
      return PriorityShare.NOTHING;
    }
    try {
      return new PriorityShare(IoPriority.parse(text), percent);
    } catch (IllegalArgumentException e) {
      throw refused(key, IoPriority.ALLOWED, e);
    }
  }

  private int parsePercent(String key) throws DBException {
    String allowed = "a whole number from 0 to 100";
    try {
      int percent = Integer.parseInt(properties.getProperty(key, "100"));
      if (percent < 0 || percent > 100) {
        throw refused(key, allowed);
      }
      return percent;
    } catch (NumberFormatException e) {
      throw refused(key, allowed, e);
    }
  }

  /** Otherwise a misspelt key would run a whole benchmark without the priority. */
  private void rejectUnknownPriorityKeys() throws DBException {
    TreeSet<String> known = new TreeSet<>(List.of(IO_PRIORITY, IO_PRIORITY + PERCENT));
    for (Operation operation : Operation.values()) {
      known.add(IO_PRIORITY + "." + operation.propertyName());
      known.add(IO_PRIORITY + "." + operation.propertyName() + PERCENT);
    }
    for (String key : new TreeSet<>(properties.stringPropertyNames())) {
      if (key.startsWith(IO_PRIORITY) && !known.contains(key)) {
        throw refused(key, "only the properties " + String.join(", ", known));
      }
    }
  }

  private Map<String, String> collectHbaseProperties() {
    Map<String, String> found = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      boolean own = key.startsWith(IO_PRIORITY) || OWN_HBASE_KEYS.contains(key);
      if (!own && HBASE_PREFIXES.stream().anyMatch(key::startsWith)) {
        found.put(key, properties.getProperty(key));
      }
    }
    return found;
  }

  private DBException refused(String key, String allowed) {
    return refused(key, allowed, null);
  }

  private DBException refused(String key, String allowed, Throwable cause) {
    String value = properties.getProperty(key);
    String stated = value == null ? "is not set" : "= \"" + value + "\" is not allowed";
    return new DBException("property " + key + " " + stated + "; allowed: " + allowed, cause);
  }

  String table() {
    return table;
  }

  String columnFamily() {
    return columnFamily;
  }

  Durability durability() {
    return durability;
  }

  boolean clientBuffering() {
    return clientBuffering;
  }

  /** The bytes that the client buffers before it sends them; used only with client buffering. */
  long writeBufferBytes() {
    return writeBufferBytes;
  }

  boolean debug() {
    return debug;
  }

  boolean hasKeytab() {
    return keytab != null;
  }

  String principal() {
    return principal;
  }

  String keytab() {
    return keytab;
  }

  boolean usePageFilter() {
    return usePageFilter;
  }

  PriorityShare priorityOf(Operation operation) {
    return priorities.get(operation);
  }

  /** Copies the properties that belong to the HBase client into its configuration. */
  void applyTo(Configuration conf) {
    hbaseProperties.forEach(conf::set);
  }
}
