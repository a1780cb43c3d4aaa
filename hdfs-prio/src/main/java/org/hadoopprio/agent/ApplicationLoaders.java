// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.WeakHashMap;
import org.slf4j.LoggerFactory;

/**
 * Whose Hadoop is woven: that of the JVM's system class loader, or of one that it delegates to.
 * Thread-safe.
 *
 * <p>The agent's own classes are there, and hooks are compared with the class files there. Another
 * loader, as a plugin or an isolated client of a metastore has it, may not see the agent, may have
 * another version of Hadoop, and has its own copy of whatever states a priority. So its Hadoop is
 * stock, and nothing of it decides about the application's.
 */
final class ApplicationLoaders {

  /** By identity: another loader's hashCode and equals are the application's code. */
  private final Set<ClassLoader> own = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Others that have been logged; they may be collected. */
  private final Set<ClassLoader> logged =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  ApplicationLoaders() {
    for (ClassLoader loader = ClassLoader.getSystemClassLoader();
        loader != null;
        loader = loader.getParent()) {
      own.add(loader);
    }
  }

  /**
   * Whether classes of a loader are woven.
   *
   * @param loader null for the JVM's own
   */
  boolean has(ClassLoader loader) {
    return loader == null || own.contains(loader);
  }

  /** Says once for each loader that its Hadoop stays as it is. */
  void logStock(ClassLoader other, String type) {
    if (logged.add(other)) {
      // Not its toString, which is the application's code.
      LoggerFactory.getLogger(PriorityAgent.class)
          .info(
              "Class {} of class loader {}@{} is not the application's own: Hadoop and HBase of"
                  + " this loader stay stock, without priorities",
              type,
              other.getClass().getName(),
              Integer.toHexString(System.identityHashCode(other)));
    }
  }
}
