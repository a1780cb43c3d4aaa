package org.hadoopprio.premain;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;

/**
 * Where the JVM enters the agent: {@code -javaagent:hdfs-prio-VERSION-agent.jar[=strict]}.
 *
 * <p>An exception here would end the process before its main method, and {@code JAVA_TOOL_OPTIONS}
 * brings the agent into processes it was not made for. So whatever goes wrong is one line on
 * standard error and the process goes on without the agent, unless {@code strict} was asked for.
 * This class is compiled for Java 8, so that even there it can say that the agent needs a later
 * one.
 */
public final class Premain {

  private Premain() {}

  /** Called by the JVM before main. */
  public static void premain(String argument, Instrumentation instrumentation) {
    try {
      Class.forName("org.hadoopprio.agent.PriorityAgent")
          .getMethod("start", String.class, Instrumentation.class)
          .invoke(null, argument, instrumentation);
    } catch (InvocationTargetException e) {
      giveUp(argument, e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      giveUp(argument, e);
    }
  }

  private static void giveUp(String argument, Throwable reason) {
    System.err.println("hadoop-prio agent is not at work in this process: " + reason);
    if ("strict".equals(argument)) {
      throw new IllegalStateException("hadoop-prio agent was started with strict", reason);
    }
  }
}
