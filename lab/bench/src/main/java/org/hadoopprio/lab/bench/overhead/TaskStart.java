// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.source.JvmMetrics;

/**
 * A JVM that does what a MapReduce task does before its first byte from HDFS: it starts Hadoop's
 * metrics, reads its configuration, makes a file system, and loads the classes that read. It reads
 * nothing, so it needs no cluster. {@code bin/lib/overhead.py} runs it.
 */
final class TaskStart {

  /** Never asked: a file system connects with its first operation. */
  private static final String NAME_NODE = "hdfs://127.0.0.1:1";

  private static final List<String> READING =
      List.of(
          "org.apache.hadoop.mapred.MapTask",
          "org.apache.hadoop.hdfs.DFSInputStream",
          "org.apache.hadoop.hdfs.protocol.datatransfer.Sender",
          "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$OpReadBlockProto",
          "org.apache.hadoop.hdfs.client.impl.BlockReaderFactory",
          "org.apache.hadoop.hdfs.client.impl.BlockReaderRemote",
          "org.apache.hadoop.hdfs.client.impl.BlockReaderLocal",
          "org.apache.hadoop.hdfs.client.impl.metrics.BlockReaderIoProvider",
          "org.apache.hadoop.net.SocketIOWithTimeout$SelectorPool");

  private TaskStart() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws IOException, ClassNotFoundException {
    DefaultMetricsSystem.initialize("MapTask");
    JvmMetrics.initSingleton("MapTask", "start");
    JobConf conf = new JobConf();
    conf.set("fs.defaultFS", NAME_NODE);
    FileSystem.get(conf);
    for (String type : READING) {
      Class.forName(type);
    }
    // Without closing the file system, which would ask the NameNode.
    Runtime.getRuntime().halt(0);
  }
}
