// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.off;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is off in this process at present, though it is there. Whoever does something for a request
 * asks, at the latest when it goes on with the next packet; so off takes effect on what is in
 * progress, too. Thread-safe.
 */
public final class OffSwitch {

  private static final Logger LOG = LoggerFactory.getLogger(OffSwitch.class);

  /** Who has switched something off: the modules and the reason. Guarded by the class. */
  private static final Map<String, Cause> CAUSES = new LinkedHashMap<>();

  /** Of the type for which {@link #isAllOff} costs nothing. */
  private static final Set<AgentModule> ALL = EnumSet.copyOf(AgentModule.ALL);

  /** The modules that are off, or quiet; never changed, but replaced. */
  private static volatile Set<AgentModule> off = EnumSet.noneOf(AgentModule.class);

  private static volatile int modules;
  private static volatile boolean observing;
  private static volatile String reason = "";

  private OffSwitch() {}

  /** Immutable. */
  private static final class Cause {
    final Set<AgentModule> modules;
    final String why;

    Cause(Set<AgentModule> modules, String why) {
      this.modules = modules;
      this.why = why;
    }

    @Override
    public String toString() {
      return (modules.containsAll(AgentModule.ALL)
              ? "all modules"
              : modules.stream().map(AgentModule::toString).collect(Collectors.joining(", ")))
          + ": "
          + why;
    }
  }

  /** Whether a module does nothing at present. Costs one read of a volatile field. */
  public static boolean isOff(AgentModule module) {
    return off.contains(module);
  }

  /** Whether all modules are off that have an effect on requests; costs the same. */
  public static boolean isAllOff() {
    return off.containsAll(ALL);
  }

  /** The number of modules that are off. */
  public static int modules() {
    return modules;
  }

  /**
   * Whether this process's RegionServer only observes: it decides and counts, and its calls are
   * served as in stock HBase. Costs one read of a volatile field.
   */
  public static boolean isObserving() {
    return observing;
  }

  /**
   * Has the RegionServer of this process only observe. The modules that state priorities then do
   * nothing; they are not off for the operator, so they have no {@link #reason} and do not count.
   */
  public static synchronized void setObserving(boolean on) {
    if (on != observing) {
      LOG.info("The RegionServer {}", on ? "only observes" : "does not observe any more");
    }
    observing = on;
    apply();
  }

  /** What is off, and why; empty if nothing is. */
  public static String reason() {
    return reason;
  }

  /**
   * Switches off what somebody wants off, and nothing else that the same one wanted before.
   *
   * @param who names the file or key
   * @param modules none for on
   * @param why for the log and the operator
   */
  public static synchronized void set(String who, Set<AgentModule> modules, String why) {
    if (modules.isEmpty()) {
      CAUSES.remove(who);
    } else {
      CAUSES.put(who, new Cause(EnumSet.copyOf(modules), why));
    }
    apply();
    String now = CAUSES.values().stream().map(Cause::toString).collect(Collectors.joining("; "));
    if (!now.equals(reason)) {
      reason = now;
      if (now.isEmpty()) {
        LOG.warn("hadoop-prio is on again: no module is switched off any more");
      } else {
        LOG.warn("hadoop-prio is OFF ({})", now);
      }
    }
  }

  private static void apply() {
    Set<AgentModule> all = EnumSet.noneOf(AgentModule.class);
    CAUSES.values().forEach(cause -> all.addAll(cause.modules));
    modules = all.size();
    if (observing) {
      all.addAll(AgentModule.STATING);
    }
    off = all;
  }
}
