// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.off.AgentModule;

/**
 * All that is done to a class of Hadoop or of a program on it, and to those that it works with. A
 * subclass lists its hooks when it is made, and has their advice as nested classes.
 *
 * <p>Advice only delegates, and has no helpers: it is copied into the hooked methods.
 *
 * <p>Hooked classes and advice are named and not referred to. A reference would load the hooked
 * class before it can be woven, and the advice also where the hooked class is never loaded.
 */
public abstract class TypeHooks {

  private final List<Hook> hooks = new ArrayList<>();
  private String type;

  /** The hooks that follow are in the class of this binary name. */
  protected final void in(String typeName) {
    type = typeName;
  }

  /**
   * Adds a hook in one method.
   *
   * <p>Methods are matched by name and by only as much of the signature as distinguishes them from
   * overloads, so that a hook fits several versions. What the advice takes of arguments and of what
   * is returned distinguishes them, too, and needs no matcher. A hook that selects another number
   * of methods switches its module off, so a new overload cannot be hooked by mistake.
   *
   * @param name for logs and metrics
   * @param advice the simple name of the nested class
   */
  protected final void hook(
      AgentModule module,
      String name,
      ElementMatcher<? super MethodDescription> methods,
      String advice) {
    hook(module, name, methods, 1, advice);
  }

  /** Adds a hook in several methods. */
  protected final void hook(
      AgentModule module,
      String name,
      ElementMatcher<? super MethodDescription> methods,
      int methodCount,
      String advice) {
    String nested = getClass().getName() + "$" + advice;
    hooks.add(new Hook(module, name, type, methods, methodCount, nested));
  }

  /** Those that are a part of a module. */
  final List<Hook> of(AgentModule module) {
    List<Hook> found = new ArrayList<>();
    for (Hook hook : hooks) {
      if (hook.module() == module) {
        found.add(hook);
      }
    }
    return found;
  }
}
