// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.off.AgentModule;

/**
 * What a process was started with: {@code [strict][,off:MODULE,...]} after the agent's name, and an
 * environment variable with names of modules. Immutable.
 */
final class AgentArgument {

  /** Names modules that are off in this process and those that it starts. */
  static final String ENVIRONMENT_VARIABLE = "HADOOP_IO_PRIORITY_OFF";

  private static final String OFF = "off:";

  private final boolean strict;
  private final Set<AgentModule> off;

  private AgentArgument(boolean strict, Set<AgentModule> off) {
    this.strict = strict;
    this.off = off;
  }

  /**
   * Reads both. An argument that is not allowed is ignored, and said so on standard error.
   *
   * @param argument of the agent; null for none
   * @param environment the value of the variable; null if it is not set
   * @throws IllegalArgumentException naming what is no module, and what is allowed
   */
  static AgentArgument parse(String argument, String environment) {
    String text = argument == null ? "" : argument;
    int names = text.indexOf(OFF);
    Set<AgentModule> off = EnumSet.noneOf(AgentModule.class);
    if (environment != null) {
      off.addAll(modules("the environment variable " + ENVIRONMENT_VARIABLE, environment));
    }
    if (names >= 0) {
      off.addAll(modules("the argument", text.substring(names + OFF.length())));
    }
    String rest = names < 0 ? text : text.substring(0, names).replaceFirst(",$", "");
    boolean strict = rest.equals("strict");
    if (!strict && !rest.isEmpty()) {
      System.err.println(
          "hadoop-prio agent argument \""
              + rest
              + "\" is not allowed and is ignored; allowed: strict, off:MODULE,MODULE...");
    }
    return new AgentArgument(strict, off);
  }

  private static Set<AgentModule> modules(String who, String names) {
    try {
      return AgentModule.parse(names);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(who + ": " + e.getMessage(), e);
    }
  }

  /** Whether every hook must fit. */
  boolean isStrict() {
    return strict;
  }

  /** The modules that are not to be woven. */
  Set<AgentModule> off() {
    return off;
  }

  /** The modules that are left without those, and without what needs them. */
  List<HookModule> left(List<HookModule> modules) {
    Set<String> names = new HashSet<>();
    for (AgentModule module : off) {
      names.add(module.toString());
    }
    List<HookModule> left = new ArrayList<>();
    for (HookModule module : modules) {
      if (!names.contains(module.name()) && !names.contains(module.needs())) {
        left.add(module);
      }
    }
    return left;
  }
}
