package org.hadoopprio.agent;

import java.util.Map;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;

/**
 * One place in Hadoop or HBase where a priority is read or carried on: the methods of one class,
 * and the advice woven into them, which only delegates.
 *
 * <p>Methods are matched by name and by as little of the signature as tells them apart, so that a
 * hook fits several versions; {@link HookCheck} says whether it fits the one at hand.
 */
public interface Hook {

  /** A short name for logs and metrics. */
  String name();

  /** The binary name of the class. */
  String typeName();

  /** Selects the methods among those the class declares. */
  ElementMatcher<? super MethodDescription> methods();

  /** How many methods must be selected; any other number means this version is not understood. */
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
