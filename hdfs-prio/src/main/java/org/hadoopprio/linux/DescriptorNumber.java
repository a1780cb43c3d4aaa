// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.io.FileDescriptor;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;

/**
 * The kernel's number of a {@link FileDescriptor} or a socket, which native code needs and Java
 * does not expose. Thread-safe.
 */
public final class DescriptorNumber {

  private static volatile Instrumentation instrumentation;
  private static volatile Field number;
  private static volatile Method ofSocket;

  private DescriptorNumber() {}

  /**
   * Sets the instrumentation with which {@code of} opens packages of Java to this class if
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

  /**
   * The number of an open socket.
   *
   * @throws IllegalStateException as the other, for {@code sun.nio.ch}
   */
  public static int of(SocketChannel socket) {
    Method method = ofSocket;
    if (method == null) {
      method = method();
      ofSocket = method;
    }
    try {
      return (int) method.invoke(socket);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }

  private static synchronized Method method() {
    try {
      Method method = Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal");
      open(method, "sun.nio.ch");
      return method;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM's sockets have no method getFDVal", e);
    }
  }

  private static synchronized Field field() {
    try {
      Field field = FileDescriptor.class.getDeclaredField("fd");
      open(field, "java.io");
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("this JVM's FileDescriptor has no field fd", e);
    }
  }

  private static void open(AccessibleObject member, String pack) {
    try {
      member.setAccessible(true);
    } catch (InaccessibleObjectException e) {
      open(pack, e);
      member.setAccessible(true);
    }
  }

  private static void open(String pack, InaccessibleObjectException cause) {
    Instrumentation agent = instrumentation;
    if (agent == null) {
      throw new IllegalStateException(
          "needs --add-opens java.base/" + pack + "=ALL-UNNAMED", cause);
    }
    agent.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(),
        Map.of(pack, Set.of(DescriptorNumber.class.getModule())),
        Set.of(),
        Map.of());
  }
}
