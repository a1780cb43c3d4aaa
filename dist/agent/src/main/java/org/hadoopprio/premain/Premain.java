// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.premain;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;

/**
 * The entry of the JVM into the agent: {@code -javaagent:hdfs-prio-agent.jar[=ARGUMENT]}.
 *
 * <p>An exception here would end the process before its main method, and {@code JAVA_TOOL_OPTIONS}
 * brings the agent into processes for which it was not made. Therefore any failure is one line on
 * standard error and the process continues without the agent, unless {@code strict} is set. This
 * class is compiled for Java 8, so that it can report there that the agent needs a later version.
 */
public final class Premain {

  private Premain() {}

  /** Called by the JVM before main. */
  public static void premain(String argument, Instrumentation instrumentation) {
    try {
      Class.forName("org.hadoopprio.premain.AllModules")
          .getMethod("start", String.class, Instrumentation.class)
          .invoke(null, argument, instrumentation);
    } catch (InvocationTargetException e) {
      giveUp(argument, e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      giveUp(argument, e);
    }
  }

  private static void giveUp(String argument, Throwable reason) {
    System.err.println("hadoop-prio agent is not active in this process: " + reason);
    if (argument != null && (argument.equals("strict") || argument.startsWith("strict,"))) {
      throw new IllegalStateException("hadoop-prio agent was started with strict", reason);
    }
  }
}
