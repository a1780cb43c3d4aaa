// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.source.JvmMetrics;

/**
 * A JVM that does what a MapReduce task does before its first byte from HDFS: it starts Hadoop's
 * metrics, reads its configuration, makes a file system, and loads the classes that read. It reads
 * nothing, so it needs no cluster. It says when it could read, and how much CPU time the start
 * took, with what the JIT compiler does for it afterwards, as it would beside the work of a task.
 */
final class TaskStart {

  /** The line that says that it could read. */
  static final String READY = "task-start ready";

  /** Begins the line with the CPU time of the process in nanoseconds. */
  static final String CPU = "task-start cpu ";

  /** The JIT compiler has nothing left to do if the process uses less CPU time than this. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int LOOK_MILLIS = 200;
  private static final int MAX_LOOKS = 50;

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
  public static void main(String[] args)
      throws IOException, ClassNotFoundException, InterruptedException {
    DefaultMetricsSystem.initialize("MapTask");
    JvmMetrics.initSingleton("MapTask", "start");
    JobConf conf = new JobConf();
    conf.set("fs.defaultFS", NAME_NODE);
    FileSystem.get(conf);
    for (String type : READING) {
      Class.forName(type);
    }
    System.out.println(READY);
    System.out.println(CPU + settledCpuNanos());
    // Without closing the file system, which would ask the NameNode.
    Runtime.getRuntime().halt(0);
  }

  private static long settledCpuNanos() throws InterruptedException {
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long used = process.getProcessCpuTime();
    for (int i = 0; i < MAX_LOOKS; i++) {
      Thread.sleep(LOOK_MILLIS);
      long before = used;
      used = process.getProcessCpuTime();
      if (used - before < IDLE_NANOS) {
        break;
      }
    }
    return used;
  }
}
