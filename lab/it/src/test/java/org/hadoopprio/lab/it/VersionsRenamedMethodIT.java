// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.Test;

/**
 * On a Hadoop that the agent does not know, one with a renamed method, it switches the module off
 * that needs this method, says so, and the DataNode serves as a stock one.
 */
class VersionsRenamedMethodIT {

  @Test
  void onARenamedMethodTheDataNodesModuleSwitchesOffAndTheDataNodeServes() throws Exception {
    List<Path> stock = Installation.find().jars();
    List<Path> renamed = new ArrayList<>();
    renamed.add(RenamedMethod.writeTo(Path.of("target", "it", "renamed").toAbsolutePath()));
    renamed.addAll(stock);
    try (LocalCluster cluster =
        Clusters.of(VersionsRenamedMethodIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .configure(Role.DATANODE, o -> o.classPath(renamed))
            .start()) {
      Clusters.requireBlockTrace(cluster);
      BlockTraceSummary seen = Versions.writeAndRead(cluster, stock);
      Clusters.assertOnly(IoPriority.NONE, seen);
      String log = Files.readString(cluster.daemon(Role.DATANODE).logFile());
      assertTrue(log.contains("Module datanode is OFF"), log);
      assertTrue(
          Clusters.metric(cluster, cluster.daemon(Role.DATANODE), "HooksApplied").asInt()
              < Clusters.metric(cluster, cluster.daemon(Role.DATANODE), "HooksTotal").asInt());
    }
  }
}
