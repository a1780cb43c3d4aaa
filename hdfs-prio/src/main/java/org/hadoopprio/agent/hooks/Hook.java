// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import java.util.Map;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;

/**
 * One place in Hadoop or a program on it where a priority is read or passed on: methods of one
 * class, and the advice that is woven into them, which only delegates.
 *
 * <p>Methods are matched by name and by only as much of the signature as distinguishes them from
 * overloads, so that a hook fits several versions. A matcher that selects another number of methods
 * than {@link #methodCount} switches its module off ({@code HookCheck}), so a new overload cannot
 * be hooked by mistake.
 */
public interface Hook {

  /** A short name for logs and metrics. */
  String name();

  /** The binary name of the hooked class, in Hadoop from {@link HadoopTypes}. */
  String typeName();

  /** Selects the methods among those the class declares. */
  ElementMatcher<? super MethodDescription> methods();

  /** The number of methods that must be selected; with any other number the hook does not fit. */
  default int methodCount() {
    return 1;
  }

  /** Fields of the class that the advice uses: name to binary type name. */
  default Map<String, String> fields() {
    return Map.of();
  }

  /** The class with the advice methods. */
  Class<?> advice();
}
