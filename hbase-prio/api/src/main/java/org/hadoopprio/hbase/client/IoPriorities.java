// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.client;

import java.util.Map;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.hadoopprio.IoPriority;

/**
 * Sets and reads the I/O priority of HBase operations, requests, connections and tables.
 *
 * <p>The first source that states a priority decides: the operation, the request, the connection,
 * the table, the RegionServer's default. {@link IoPriority#NONE} states "no priority" and so
 * overrides the sources after it. A RegionServer without hadoop-prio ignores all of them.
 *
 * <pre>{@code
 * Get get = IoPriorities.set(new Get(row), IoPriority.parse("rt:3"));
 * Table table = IoPriorities.set(connection.getTableBuilder(name, null), IoPriority.IDLE).build();
 * Connection connection = ConnectionFactory.createConnection(
 *     conf, null, User.getCurrent(), IoPriorities.connectionAttributes(IoPriority.IDLE));
 * }</pre>
 *
 * <p>{@link IoPriority#parse(String)} turns text into a priority. If the text is invalid, it throws
 * an IllegalArgumentException that lists what is allowed. So do the {@code get} methods if an
 * attribute, which other code may have written, is invalid. No method accepts a null priority;
 * {@link #clear} removes one. All methods are static; the objects they change are as thread-safe as
 * HBase makes them.
 */
public final class IoPriorities {

  /** The key of the value in a table's descriptor; the value is text. */
  public static final String TABLE_VALUE = "IO_PRIORITY";

  private IoPriorities() {}

  /**
   * Sets the priority of one operation: a Get, Scan, Put, Delete, Increment or Append. Each
   * operation of a batch keeps its own priority.
   *
   * @return the operation
   */
  public static <T extends OperationWithAttributes> T set(T operation, IoPriority priority) {
    operation.setAttribute(IoPriority.ATTRIBUTE, bytes(priority));
    return operation;
  }

  /** The operation's own priority, or null if it states none. */
  public static IoPriority get(OperationWithAttributes operation) {
    return parse(operation.getAttribute(IoPriority.ATTRIBUTE));
  }

  /** Removes the operation's own priority and returns the operation. */
  public static <T extends OperationWithAttributes> T clear(T operation) {
    operation.setAttribute(IoPriority.ATTRIBUTE, null);
    return operation;
  }

  /**
   * Sets the priority of a check-and-mutate. It has no attributes of its own, so its mutations
   * carry the priority; the check's read takes that of the first mutation that states one.
   *
   * @return the check-and-mutate
   */
  public static CheckAndMutate set(CheckAndMutate checkAndMutate, IoPriority priority) {
    Row action = checkAndMutate.getAction();
    if (action instanceof RowMutations) {
      set((RowMutations) action, priority);
    } else {
      set((Mutation) action, priority);
    }
    return checkAndMutate;
  }

  /** The priority of a check-and-mutate's read, or null if no mutation states one. */
  public static IoPriority get(CheckAndMutate checkAndMutate) {
    return parse(attribute(checkAndMutate));
  }

  /**
   * Sets the priority of each mutation that is in the group now; add the mutations first.
   *
   * @return the group
   */
  public static RowMutations set(RowMutations mutations, IoPriority priority) {
    for (Mutation mutation : mutations.getMutations()) {
      set(mutation, priority);
    }
    return mutations;
  }

  /** The priority of the group's first mutation that states one, or null if none does. */
  public static IoPriority get(RowMutations mutations) {
    return parse(attribute(mutations));
  }

  /**
   * Sets the priority of every request of the table that the builder builds.
   *
   * @return the builder
   */
  public static TableBuilder set(TableBuilder builder, IoPriority priority) {
    return builder.setRequestAttribute(IoPriority.ATTRIBUTE, bytes(priority));
  }

  /**
   * Sets the priority of every request of the table that the builder builds.
   *
   * @return the builder
   */
  public static <C extends ScanResultConsumerBase> AsyncTableBuilder<C> set(
      AsyncTableBuilder<C> builder, IoPriority priority) {
    return builder.setRequestAttribute(IoPriority.ATTRIBUTE, bytes(priority));
  }

  /**
   * The attributes of a connection that gives all its requests the priority, for {@code
   * ConnectionFactory.createConnection(conf, pool, user, attributes)}.
   *
   * @return an immutable map; copy it to add attributes of your own
   */
  public static Map<String, byte[]> connectionAttributes(IoPriority priority) {
    return Map.of(IoPriority.ATTRIBUTE, bytes(priority));
  }

  /**
   * Sets the priority of a table's operations that state none.
   *
   * @return the builder
   */
  public static TableDescriptorBuilder set(TableDescriptorBuilder builder, IoPriority priority) {
    return builder.setValue(TABLE_VALUE, checked(priority).toString());
  }

  /** The priority of a table's operations that state none, or null if the table has none. */
  public static IoPriority get(TableDescriptor table) {
    String text = table.getValue(TABLE_VALUE);
    return text == null ? null : IoPriority.parse(text);
  }

  /** The attribute that applies to a check-and-mutate as a whole, or null. */
  public static byte[] attribute(CheckAndMutate checkAndMutate) {
    Row action = checkAndMutate.getAction();
    return action instanceof RowMutations
        ? attribute((RowMutations) action)
        : ((Mutation) action).getAttribute(IoPriority.ATTRIBUTE);
  }

  private static byte[] attribute(RowMutations mutations) {
    for (Mutation mutation : mutations.getMutations()) {
      byte[] attribute = mutation.getAttribute(IoPriority.ATTRIBUTE);
      if (attribute != null) {
        return attribute;
      }
    }
    return null;
  }

  private static IoPriority parse(byte[] attribute) {
    return attribute == null ? null : IoPriority.parse(attribute);
  }

  private static byte[] bytes(IoPriority priority) {
    return checked(priority).toBytes();
  }

  private static IoPriority checked(IoPriority priority) {
    if (priority == null) {
      throw new IllegalArgumentException("I/O priority is null; allowed: " + IoPriority.ALLOWED);
    }
    return priority;
  }
}
