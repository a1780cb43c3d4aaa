package org.hadoopprio.role;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopprio.IoPriority;

/** The priorities of some roles. Immutable. */
public final class RolePriorities {

  private static final String SYNTAX =
      "allowed: ROLE=PRIORITY, separated by commas, with each ROLE once and one of "
          + Arrays.stream(IoRole.values()).map(IoRole::toString).collect(Collectors.joining(", "));

  private final Map<IoRole, IoPriority> priorities;

  private RolePriorities(Map<IoRole, IoPriority> priorities) {
    this.priorities = priorities;
  }

  /**
   * Reads the text form, such as {@code balancer=be:7, block-scanner=idle}; {@code none} for all
   * stands for no priorities.
   *
   * @throws IllegalArgumentException naming the mistake and what is allowed
   */
  public static RolePriorities parse(String text) {
    Map<IoRole, IoPriority> priorities = new EnumMap<>(IoRole.class);
    if (!text.equals("none")) {
      for (String part : text.split(",", -1)) {
        int equals = part.indexOf('=');
        IoRole role = equals < 0 ? null : role(part.substring(0, equals).strip());
        if (role == null || priorities.containsKey(role)) {
          throw new IllegalArgumentException("\"" + part.strip() + "\" is not allowed; " + SYNTAX);
        }
        priorities.put(role, IoPriority.parse(part.substring(equals + 1).strip()));
      }
    }
    return new RolePriorities(priorities);
  }

  private static IoRole role(String name) {
    for (IoRole role : IoRole.values()) {
      if (role.toString().equals(name)) {
        return role;
      }
    }
    return null;
  }

  /** The priority of a role; null for none. */
  public IoPriority of(IoRole role) {
    IoPriority priority = priorities.get(role);
    return priority == null || priority.isNone() ? null : priority;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RolePriorities
        && priorities.equals(((RolePriorities) other).priorities);
  }

  @Override
  public int hashCode() {
    return priorities.hashCode();
  }
}
