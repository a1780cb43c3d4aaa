// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;

/** A hook that is stated by a name, a class and its methods. Its advice is its nested class. */
public abstract class HookBase implements Hook {

  private final String name;
  private final String typeName;
  private final ElementMatcher<? super MethodDescription> methods;

  protected HookBase(
      String name, String typeName, ElementMatcher<? super MethodDescription> methods) {
    this.name = name;
    this.typeName = typeName;
    this.methods = methods;
  }

  /** For a hook that overrides {@link #methods}: its matcher names a class that may be missing. */
  protected HookBase(String name, String typeName) {
    this(name, typeName, null);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String typeName() {
    return typeName;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return methods;
  }

  /** Not a parameter: where the hooked class is never loaded, the advice is not loaded either. */
  @Override
  public Class<?> advice() {
    return getClass().getDeclaredClasses()[0];
  }
}
