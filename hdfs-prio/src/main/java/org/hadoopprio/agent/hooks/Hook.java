// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.off.AgentModule;

/**
 * One place in Hadoop or a program on it where a priority is read or passed on: methods of one
 * class, and the advice that is woven into them. Immutable.
 */
public final class Hook {

  private final AgentModule module;
  private final String name;
  private final String typeName;
  private final ElementMatcher<? super MethodDescription> methods;
  private final int methodCount;
  private final String advice;

  Hook(
      AgentModule module,
      String name,
      String typeName,
      ElementMatcher<? super MethodDescription> methods,
      int methodCount,
      String advice) {
    this.module = module;
    this.name = name;
    this.typeName = typeName;
    this.methods = methods;
    this.methodCount = methodCount;
    this.advice = advice;
  }

  /** The module that it is a part of. */
  AgentModule module() {
    return module;
  }

  /** A short name for logs and metrics. */
  public String name() {
    return name;
  }

  /** The binary name of the hooked class. */
  public String typeName() {
    return typeName;
  }

  /**
   * Selects the methods among those the class declares, as far as the parameters of the advice do
   * not.
   */
  public ElementMatcher<? super MethodDescription> methods() {
    return methods;
  }

  /** The number of methods that must be selected; with any other number the hook does not fit. */
  public int methodCount() {
    return methodCount;
  }

  /** The binary name of the class with the advice methods. */
  public String advice() {
    return advice;
  }
}
