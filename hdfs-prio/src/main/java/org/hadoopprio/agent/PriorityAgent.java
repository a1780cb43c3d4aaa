// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.function.Supplier;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.off.OffSwitch;

/**
 * The Java agent: {@code -javaagent:hdfs-prio-agent.jar[=ARGUMENT]} on DataNodes, RegionServers and
 * HDFS clients.
 *
 * <p>In a process without Hadoop it does nothing. A module starts when the process is about to load
 * the first of its classes. A module with a hook that does not fit the classes on the class path,
 * or that cannot be woven, is switched off as a whole, and this is logged. With {@code strict} all
 * modules start at once, and the process does not start if a hook does not fit.
 */
public final class PriorityAgent {

  /**
   * The system property that an active agent sets, so that a second one of any version does
   * nothing.
   */
  private static final String MARKER = "org.hadoopprio.agent.version";

  private static final String HADOOP = "org.apache.hadoop.conf.Configuration";
  private static final String LOGGING = "org.slf4j.LoggerFactory";

  private PriorityAgent() {}

  /**
   * Starts the agent.
   *
   * @param argument see {@link AgentArgument}
   * @param modules what can be woven; asked for where there is Hadoop only
   * @throws IllegalArgumentException if it names what is no module
   */
  public static void start(
      String argument, Instrumentation instrumentation, Supplier<List<HookModule>> modules) {
    AgentArgument wanted =
        AgentArgument.parse(argument, System.getenv(AgentArgument.ENVIRONMENT_VARIABLE));
    // JAVA_TOOL_OPTIONS passes the agent to every JVM of a job, also to those without Hadoop.
    if (!isOnClassPath(HADOOP) || !isOnClassPath(LOGGING)) {
      return;
    }
    String running = System.getProperty(MARKER);
    if (running != null) {
      System.err.println(
          "hadoop-prio agent given twice; version "
              + running
              + " is active, this one does nothing");
      return;
    }
    String version = version();
    System.setProperty(MARKER, version);
    Weaver weaver =
        new Weaver(
            version,
            HookCheck::ofClassPath,
            LoadedClasses.of(instrumentation),
            wanted.left(modules.get()));
    instrumentation.addTransformer(weaver, true);
    if (!wanted.off().isEmpty()) {
      OffSwitch.set("start", wanted.off(), "this process was started without");
    }
    DescriptorNumber.openWith(instrumentation);
    PriorityMBean.register(version, weaver);
    if (wanted.isStrict()) {
      weaver.startAll();
    }
    if (wanted.isStrict() && !weaver.isComplete()) {
      throw new IllegalStateException(
          "hadoop-prio agent: it was started with strict and not every hook fits: "
              + weaver.states());
    }
  }

  private static boolean isOnClassPath(String type) {
    return ClassLoader.getSystemResource(type.replace('.', '/') + ".class") != null;
  }

  private static String version() {
    String version = PriorityAgent.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
