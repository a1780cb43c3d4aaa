// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.HashMap;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.hadoopprio.IoPriority;

/**
 * The priorities of a batch's actions. The policy is asked once for all actions on a table that
 * state the same, so that a look at each action costs no more than HBase's own. Used by one thread.
 */
final class BatchPriorities {

  private final PriorityResolver resolver;
  private final CallContents contents;
  private final int maxDecisions;
  private final Map<TablePriority, Map<ByteString, IoPriority>> known = new HashMap<>();

  private TablePriority table;
  private Map<ByteString, IoPriority> ofTable;

  /** How often the policy was asked. */
  private int decisions;

  /**
   * Describes the batch of a call.
   *
   * @param maxDecisions how often the policy is asked at most; a batch that states more kinds of
   *     priorities is taken for a background one
   */
  BatchPriorities(PriorityResolver resolver, CallContents contents, int maxDecisions) {
    this.resolver = resolver;
    this.contents = contents;
    this.maxDecisions = maxDecisions;
  }

  /**
   * The actions of a region follow.
   *
   * @param regionTable null if it is not known
   */
  void begin(TablePriority regionTable) {
    table = regionTable;
    ofTable = known.computeIfAbsent(regionTable, unknown -> new HashMap<>());
  }

  /**
   * The priority of an action, unreported; null if no source states one.
   *
   * @param attribute the action's own, or null
   */
  IoPriority of(ByteString attribute) {
    ByteString key = attribute == null ? ByteString.EMPTY : attribute;
    IoPriority priority = ofTable.get(key);
    if (priority != null || ofTable.containsKey(key)) {
      return priority;
    }
    if (decisions == maxDecisions) {
      return IoPriority.IDLE;
    }
    decisions++;
    priority = resolver.peek(bytes(attribute), contents.requester(table));
    ofTable.put(key, priority);
    return priority;
  }

  /** The bytes of an attribute; null for none. */
  static byte[] bytes(ByteString attribute) {
    return attribute == null ? null : attribute.toByteArray();
  }
}
