package org.hadoopprio.hbase.regionserver;

import java.util.Map;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;

/**
 * Decides the priority of an operation: operation attribute, request attribute, connection
 * attribute, table, RegionServer default, whichever speaks first, then the RegionServer's limit.
 *
 * <p>A hint that cannot be read counts as not stated, so the next source speaks. An explicit {@code
 * none} is an answer, and the limit leaves it alone. Immutable.
 */
final class PriorityResolver {

  private final PriorityPolicy policy;

  PriorityResolver(PriorityPolicy policy) {
    this.policy = policy;
  }

  /**
   * Resolves one operation and reports hints that are not followed.
   *
   * @param call the operation's call
   * @param attribute the operation's own attribute, or null
   * @param table the table it goes to, or null where that is not known
   * @return the priority, or null where no source states one
   */
  IoPriority resolve(RpcCall call, byte[] attribute, TablePriority table) {
    return resolve(call, attribute, table, true);
  }

  /** Like {@link #resolve}, but silent: for an early look at what will be resolved again. */
  IoPriority peek(RpcCall call, byte[] attribute, TablePriority table) {
    return resolve(call, attribute, table, false);
  }

  private IoPriority resolve(RpcCall call, byte[] attribute, TablePriority table, boolean report) {
    PrioritySource source = PrioritySource.OPERATION;
    IoPriority priority = parse(source, call, attribute, report);
    if (priority == null) {
      source = PrioritySource.REQUEST;
      priority = parse(source, call, call.getRequestAttribute(IoPriorities.ATTRIBUTE), report);
    }
    if (priority == null) {
      source = PrioritySource.CONNECTION;
      priority = parse(source, call, connectionAttribute(call), report);
    }
    if (priority == null && table != null) {
      source = PrioritySource.TABLE;
      priority = table.priority();
    }
    if (priority != null) {
      return limit(source, call, priority, report);
    }
    return table != null && table.takesDefault() ? policy.defaultPriority() : null;
  }

  private IoPriority limit(PrioritySource source, RpcCall call, IoPriority asked, boolean report) {
    IoPriority granted = asked.isNone() ? asked : asked.atMost(policy.highest());
    if (report && !granted.equals(asked)) {
      HintProblems.clamped(source, call, asked, granted);
    }
    return granted;
  }

  private static IoPriority parse(
      PrioritySource source, RpcCall call, byte[] text, boolean report) {
    if (text == null) {
      return null;
    }
    try {
      return IoPriority.parse(text);
    } catch (IllegalArgumentException e) {
      if (report) {
        HintProblems.malformed(source, call, e.getMessage());
      }
      return null;
    }
  }

  private static byte[] connectionAttribute(RpcCall call) {
    Map<String, byte[]> attributes = call.getConnectionAttributes();
    return attributes == null ? null : attributes.get(IoPriorities.ATTRIBUTE);
  }
}
