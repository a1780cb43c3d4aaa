// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.hadoopprio.lab.progress.Pauses;

/** The applications of a cluster's YARN. */
public final class YarnApplications {

  private static final EnumSet<YarnApplicationState> ALIVE =
      EnumSet.complementOf(
          EnumSet.of(
              YarnApplicationState.FINISHED,
              YarnApplicationState.FAILED,
              YarnApplicationState.KILLED));

  private static final long TIMEOUT_MS = 60_000;

  private YarnApplications() {}

  /** Kills all applications and waits until none of their containers holds anything. */
  public static void killAll(Configuration conf) throws IOException {
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    try {
      for (ApplicationReport application : yarn.getApplications(ALIVE)) {
        yarn.killApplication(application.getApplicationId());
      }
      Pauses.await("the end of all that YARN runs", TIMEOUT_MS, () -> isIdle(yarn));
    } catch (YarnException e) {
      throw new IOException("YARN cannot kill its applications", e);
    } finally {
      yarn.stop();
    }
  }

  private static boolean isIdle(YarnClient yarn) throws IOException {
    try {
      return yarn.getApplications(ALIVE).isEmpty() && usedMemory(yarn) == 0;
    } catch (YarnException e) {
      throw new IOException("YARN does not say what it runs", e);
    }
  }

  private static long usedMemory(YarnClient yarn) throws YarnException, IOException {
    return yarn.getNodeReports(NodeState.RUNNING).stream()
        .mapToLong(node -> node.getUsed() == null ? 0 : node.getUsed().getMemorySize())
        .sum();
  }
}
