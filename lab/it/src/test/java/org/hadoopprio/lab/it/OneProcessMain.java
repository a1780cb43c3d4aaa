// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.jmx.PriorityMBean;

/**
 * A client, a NameNode and a DataNode in one process, in this order, as in a mini cluster. Takes a
 * directory. Prints what the agent says of its hooks, and reads at a priority.
 */
public final class OneProcessMain {

  private static final String ANY_PORT = "127.0.0.1:0";

  private OneProcessMain() {}

  /** Exits with 1 where anything fails, as daemons leave threads. */
  public static void main(String[] args) {
    try {
      run(args[0]);
      print();
      System.exit(0);
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void run(String directory) throws Exception {
    DefaultMetricsSystem.setMiniClusterMode(true);
    try (FileSystem other = FileSystem.newInstance(new Configuration())) {
      other.exists(new Path("/"));
    }
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://" + ANY_PORT);
    conf.set("dfs.namenode.rpc-address", ANY_PORT);
    conf.set("dfs.namenode.http-address", ANY_PORT);
    conf.set("dfs.namenode.name.dir", "file://" + directory + "/name");
    conf.set("dfs.datanode.data.dir", "file://" + directory + "/data");
    conf.set("dfs.datanode.address", ANY_PORT);
    conf.set("dfs.datanode.ipc.address", ANY_PORT);
    conf.set("dfs.datanode.http.address", ANY_PORT);
    NameNode.format(conf);
    NameNode nameNode = NameNode.createNameNode(new String[0], conf);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + nameNode.getNameNodeAddress().getPort());
    conf.unset("dfs.namenode.rpc-address");
    DataNode dataNode = DataNode.createDataNode(new String[0], conf);
    try (FileSystem fs = FileSystem.newInstance(conf);
        PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
      while (fs.getStatus().getCapacity() == 0) {
        // The DataNode has not told the NameNode of its storage yet.
        Thread.sleep(10);
      }
      SampleFile.write(fs, new Path("/file"), 2);
      SampleFile.readAndCompare(fs, new Path("/file"), 2);
    }
    dataNode.shutdown();
    nameNode.stop();
  }

  private static void print() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(PriorityMBean.OBJECT_NAME);
    for (String attribute : new String[] {"HooksApplied", "HooksTotal", "GrantedIdle"}) {
      System.out.println(attribute + "=" + server.getAttribute(name, attribute));
    }
    Arrays.stream((String[]) server.getAttribute(name, "Hooks"))
        .filter(hook -> hook.contains(": off"))
        .forEach(hook -> System.out.println("without " + hook));
  }
}
