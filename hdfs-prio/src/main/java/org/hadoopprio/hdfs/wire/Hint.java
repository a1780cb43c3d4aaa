package org.hadoopprio.hdfs.wire;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;

/** What a request says of itself: its priority, and what it is for. Immutable. */
public final class Hint {

  /** Neither is stated. */
  public static final Hint NOTHING = new Hint(null, null);

  private static final Map<IoPriority, Hint> WITHOUT_ROLE = new HashMap<>();
  private static final Map<IoRole, Map<IoPriority, Hint>> ALL = new EnumMap<>(IoRole.class);

  static {
    for (IoPriority priority : IoPriority.all()) {
      WITHOUT_ROLE.put(priority, new Hint(priority, null));
    }
    for (IoRole role : IoRole.values()) {
      Map<IoPriority, Hint> hints = new HashMap<>();
      hints.put(null, new Hint(null, role));
      for (IoPriority priority : IoPriority.all()) {
        hints.put(priority, new Hint(priority, role));
      }
      ALL.put(role, hints);
    }
  }

  private final IoPriority priority;
  private final IoRole role;

  private Hint(IoPriority priority, IoRole role) {
    this.priority = priority;
    this.role = role;
  }

  /**
   * The hint with these values; always the same object for the same values.
   *
   * @param priority null if none is stated
   * @param role null if none is stated
   */
  public static Hint of(IoPriority priority, IoRole role) {
    if (role != null) {
      return ALL.get(role).get(priority);
    }
    return priority == null ? NOTHING : WITHOUT_ROLE.get(priority);
  }

  /** What the innermost {@link PriorityScope} of the calling thread states. */
  public static Hint ofScope() {
    return of(PriorityScope.current(), PriorityScope.currentRole());
  }

  /** The priority; null if none is stated. */
  public IoPriority priority() {
    return priority;
  }

  /** The role; null if none is stated. */
  public IoRole role() {
    return role;
  }

  /**
   * Opens a scope with both on the calling thread.
   *
   * @return null without a priority: then there is nothing to pass on
   */
  public PriorityScope openScope() {
    return priority == null ? null : PriorityScope.open(priority, role);
  }
}
