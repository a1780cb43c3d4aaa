// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;

/** The classes that the process has loaded. Thread-safe. */
interface LoadedClasses {

  /** All of them, of any loader. */
  Class<?>[] all();

  /**
   * Has the JVM ask for the class file of one of them once more, and put what it is given into
   * force.
   */
  void transform(Class<?> loaded) throws UnmodifiableClassException;

  static LoadedClasses of(Instrumentation instrumentation) {
    return new LoadedClasses() {
      @Override
      public Class<?>[] all() {
        return instrumentation.getAllLoadedClasses();
      }

      @Override
      public void transform(Class<?> loaded) throws UnmodifiableClassException {
        instrumentation.retransformClasses(loaded);
      }
    };
  }
}
