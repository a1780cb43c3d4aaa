// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** The applications of a cluster's YARN. */
public final class YarnApplications {

  private static final EnumSet<YarnApplicationState> ALIVE =
      EnumSet.complementOf(
          EnumSet.of(
              YarnApplicationState.FINISHED,
              YarnApplicationState.FAILED,
              YarnApplicationState.KILLED));

  private static final long POLL_MS = 250;
  private static final long TIMEOUT_MS = 60_000;

  private YarnApplications() {}

  /** Kills all applications and waits until none of their containers holds anything. */
  public static void killAll(Configuration conf) throws IOException {
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    try {
      long until = System.nanoTime() + TIMEOUT_MS * 1_000_000;
      List<ApplicationReport> alive = yarn.getApplications(ALIVE);
      for (ApplicationReport application : alive) {
        yarn.killApplication(application.getApplicationId());
      }
      while (!yarn.getApplications(ALIVE).isEmpty() || usedMemory(yarn) > 0) {
        if (System.nanoTime() > until) {
          throw new IOException("YARN still runs something after " + TIMEOUT_MS / 1000 + " s");
        }
        Thread.sleep(POLL_MS);
      }
    } catch (YarnException e) {
      throw new IOException("YARN cannot kill its applications", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while jobs were being killed");
    } finally {
      yarn.stop();
    }
  }

  private static long usedMemory(YarnClient yarn) throws YarnException, IOException {
    return yarn.getNodeReports(NodeState.RUNNING).stream()
        .mapToLong(node -> node.getUsed() == null ? 0 : node.getUsed().getMemorySize())
        .sum();
  }
}
