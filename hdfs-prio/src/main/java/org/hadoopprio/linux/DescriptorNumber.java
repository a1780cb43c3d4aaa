// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.io.FileDescriptor;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.Map;
import java.util.Set;

/**
 * The kernel's number of a {@link FileDescriptor}, which native code needs and Java does not
 * expose. Thread-safe.
 */
public final class DescriptorNumber {

  private static volatile Instrumentation instrumentation;
  private static volatile Field number;

  private DescriptorNumber() {}

  /**
   * Sets the instrumentation with which {@link #of} opens {@code java.io} to this class if
   * necessary.
   */
  public static void openWith(Instrumentation agent) {
    instrumentation = agent;
  }

  /**
   * The number of an open file.
   *
   * @throws IllegalStateException if {@code java.io} is not open to this class and there is no
   *     agent to open it
   */
  public static int of(FileDescriptor descriptor) {
    Field field = number;
    if (field == null) {
      field = field();
      number = field;
    }
    try {
      return field.getInt(descriptor);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static synchronized Field field() {
    try {
      Field field = FileDescriptor.class.getDeclaredField("fd");
      try {
        field.setAccessible(true);
      } catch (InaccessibleObjectException e) {
        openJavaIo(e);
        field.setAccessible(true);
      }
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("this JVM's FileDescriptor has no field fd", e);
    }
  }

  private static void openJavaIo(InaccessibleObjectException cause) {
    Instrumentation agent = instrumentation;
    if (agent == null) {
      throw new IllegalStateException("needs --add-opens java.base/java.io=ALL-UNNAMED", cause);
    }
    agent.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(),
        Map.of("java.io", Set.of(DescriptorNumber.class.getModule())),
        Set.of(),
        Map.of());
  }
}
