// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.role;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;

/** The priorities of some roles. Immutable. */
public final class RolePriorities {

  private final Map<IoRole, IoPriority> priorities;

  private RolePriorities(Map<IoRole, IoPriority> priorities) {
    this.priorities = priorities;
  }

  /**
   * Reads the text form, such as {@code balancer=be:7, block-scanner=idle}; {@code none} for all
   * stands for no priorities. No role can be real-time or have a latency target: clients come
   * first. What writers wait for cannot be idle.
   *
   * @param daemon whose roles are allowed
   * @throws IllegalArgumentException naming the mistake and what is allowed
   */
  public static RolePriorities parse(String text, IoRole.Daemon daemon) {
    Map<IoRole, IoPriority> priorities = new EnumMap<>(IoRole.class);
    if (!text.equals("none")) {
      for (String part : text.split(",", -1)) {
        int equals = part.indexOf('=');
        IoRole role = equals < 0 ? null : role(part.substring(0, equals).strip(), daemon);
        if (role == null || priorities.containsKey(role)) {
          throw new IllegalArgumentException(
              "\"" + part.strip() + "\" is not allowed; " + syntax(daemon));
        }
        IoPriority priority = IoPriority.parse(part.substring(equals + 1).strip());
        if (priority.ioClass() == IoClass.REALTIME) {
          throw new IllegalArgumentException(
              role + " cannot be real-time; allowed: be:0 to be:7, idle, none");
        }
        if (priority.hasTarget()) {
          throw new IllegalArgumentException(
              role + " cannot have a latency target; allowed: be:0 to be:7, idle, none");
        }
        if (role.isUrgent() && priority.ioClass() == IoClass.IDLE) {
          throw new IllegalArgumentException(
              role + " cannot be idle, as writers wait for it; allowed: be:0 to be:7, none");
        }
        priorities.put(role, priority);
      }
    }
    return new RolePriorities(priorities);
  }

  private static String syntax(IoRole.Daemon daemon) {
    return "allowed: ROLE=PRIORITY, separated by commas, with each ROLE once and one of "
        + roles(daemon).map(IoRole::toString).collect(Collectors.joining(", "));
  }

  private static Stream<IoRole> roles(IoRole.Daemon daemon) {
    return Arrays.stream(IoRole.values()).filter(role -> role.daemon() == daemon);
  }

  private static IoRole role(String name, IoRole.Daemon daemon) {
    return roles(daemon).filter(role -> role.toString().equals(name)).findAny().orElse(null);
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
