// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.tools.node.Report;

/** Whether a RegionServer that has the agent also loads what HBase has to load by its keys. */
final class RegionServerCheck {

  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String OWN = "org.hadoopprio.hbase.regionserver.";
  private static final String OBSERVER = OWN + "IoPriorityObserver";
  private static final String FACTORY = OWN + "IoPriorityRpcSchedulerFactory";

  private static final String REGION_KEY = "hbase.coprocessor.region.classes";
  private static final String USER_REGION_KEY = "hbase.coprocessor.user.region.classes";

  /** {@code hbase.coprocessor.user.enabled} is about those that a table's descriptor names. */
  private static final String ENABLED_KEY = "hbase.coprocessor.enabled";

  private static final String FACTORY_KEY = "hbase.region.server.rpc.scheduler.factory.class";
  private static final String REALTIME_KEY = "hbase.regionserver.io.priority.realtime.handlers";
  private static final String BACKGROUND_KEY = "hbase.regionserver.io.priority.background.handlers";
  private static final String OTHER_FACTORY_KEY =
      "hbase.regionserver.io.priority.scheduler.factory.class";

  private static final String NO_PRIORITY = ": Gets, scans and writes have no priority";
  private static final String RESTART = " in its hbase-site.xml and restart it";

  private final String subject;
  private final Configuration live;
  private final Report report;

  /**
   * A check of one RegionServer.
   *
   * @param live the configuration that it runs with
   */
  RegionServerCheck(String subject, Configuration live, Report report) {
    this.subject = subject;
    this.live = live;
    this.report = report;
  }

  /**
   * Checks it.
   *
   * @param bean of its agent
   * @param regions how many it serves
   * @param usersTables whether there are others among them than of HBase's own tables
   */
  void run(JsonNode bean, long regions, boolean usersTables) {
    // By the other key HBase gives none to its own tables.
    boolean mayBeMissing = regions > 0 && (usersTables || names(REGION_KEY));
    coprocessor(mayBeMissing ? regions : 0, bean.path("Regions").asLong(-1));
    factory();
  }

  /**
   * Says where the coprocessor is missing.
   *
   * @param regions how many it serves; 0 if none of them is to have the coprocessor
   * @param observed how many regions have it; -1 from an agent that does not count them
   */
  private void coprocessor(long regions, long observed) {
    if (!names(REGION_KEY) && !names(USER_REGION_KEY)) {
      unnamed(observed);
    } else if (observed <= 0 && !live.getBoolean(ENABLED_KEY, true)) {
      report.problem(
          "agent",
          subject,
          ENABLED_KEY + " is false, and HBase loads no coprocessor" + NO_PRIORITY,
          "set it to true" + RESTART);
    } else if (regions > 0 && observed == 0) {
      report.problem(
          "agent",
          subject,
          "none of its "
              + regions
              + " regions has the coprocessor that its keys name"
              + NO_PRIORITY,
          "restart it, if the keys are newer than it; otherwise its log says what does not fit");
    }
  }

  private void unnamed(long observed) {
    List<String> others = classes(REGION_KEY);
    String names =
        REGION_KEY + (others.isEmpty() ? " is not set" : " names only " + String.join(",", others));
    String set = "set " + REGION_KEY + " to " + String.join(",", first(others));
    String agree = "; where its configuration is managed, all that set this key must agree";
    if (observed > 0) {
      // By a table's descriptor, or by keys that have been replaced since its start.
      report.advice(
          "agent",
          subject,
          names
              + "; "
              + observed
              + " regions have the coprocessor now, and after its next start only those of tables"
              + " that name it",
          set + " in its hbase-site.xml" + agree);
    } else {
      report.problem("agent", subject, names + NO_PRIORITY, set + RESTART + agree);
    }
  }

  private void factory() {
    String factory = live.getTrimmed(FACTORY_KEY, "");
    if (factory.equals(FACTORY) || (isZero(REALTIME_KEY) && isZero(BACKGROUND_KEY))) {
      return;
    }
    String waits =
        ": real-time calls wait for a handler behind all others, and calls at idle can have all"
            + " handlers";
    String set = "set " + FACTORY_KEY + " to " + FACTORY;
    if (factory.isEmpty() || factory.startsWith(HBASE + "regionserver.")) {
      report.problem(
          "agent",
          subject,
          FACTORY_KEY + " is " + (factory.isEmpty() ? "not set" : factory) + waits,
          set + RESTART);
    } else {
      report.advice(
          "agent",
          subject,
          FACTORY_KEY + " is " + factory + waits,
          set
              + " and "
              + OTHER_FACTORY_KEY
              + " to "
              + factory
              + RESTART
              + ": it then makes the scheduler of all other calls; without that key its handlers are"
              + " lost");
    }
  }

  private boolean isZero(String key) {
    return live.getTrimmed(key, "").equals("0");
  }

  /** With the observer first, so that what the others read has the operation's priority. */
  private static List<String> first(List<String> others) {
    List<String> all = new ArrayList<>(others);
    all.add(0, OBSERVER);
    return all;
  }

  private boolean names(String key) {
    // An entry may have a priority and a path behind the class.
    return classes(key).stream()
        .anyMatch(entry -> entry.split("\\|", 2)[0].trim().equals(OBSERVER));
  }

  private List<String> classes(String key) {
    return List.copyOf(live.getTrimmedStringCollection(key));
  }
}
