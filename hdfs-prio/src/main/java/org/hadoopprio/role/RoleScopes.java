package org.hadoopprio.role;

import java.util.function.Function;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.wire.PriorityField;

/**
 * The delegate of the hooks on a RegionServer's own work: the thread that does it states the
 * priority of its role. Without a source every method leaves all as it is. Thread-safe.
 */
public final class RoleScopes {

  private static volatile Function<IoRole, IoPriority> source;

  private RoleScopes() {}

  /** Sets the process's source of priorities, which returns null for none; null removes it. */
  public static void setSource(Function<IoRole, IoPriority> priorities) {
    source = priorities;
  }

  private static IoPriority priority(IoRole role) {
    Function<IoRole, IoPriority> asked = source;
    return asked == null ? null : asked.apply(role);
  }

  /**
   * The calling thread begins work for a role.
   *
   * @return the value to pass to {@link WorkScope#close}; null if the role has no priority
   */
  public static PriorityScope open(IoRole role) {
    return WorkScope.open(priority(role));
  }

  /** Work that another thread will do for a role. */
  public static Runnable in(IoRole role, Runnable work) {
    return () -> {
      PriorityScope scope = open(role);
      try {
        work.run();
      } finally {
        WorkScope.close(scope);
      }
    };
  }

  /** An operation that is going to be sent for a role without the HDFS client. */
  public static void stamp(IoRole role, Message.Builder operation) {
    IoPriority priority = priority(role);
    if (priority != null) {
      PriorityField.writeTo(operation, priority);
    }
  }
}
