// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.examples;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;

/**
 * Reads the start of an HDFS file at a priority. Arguments: file, priority, number of bytes. Start
 * it with {@code -javaagent:hdfs-prio-agent.jar}; without the agent, the read is an ordinary one.
 */
public final class ReadHdfsFile {

  private ReadHdfsFile() {}

  /** See the class. */
  public static void main(String[] arguments) throws IOException {
    Path file = new Path(arguments[0]);
    IoPriority priority = IoPriority.parse(arguments[1]);
    byte[] buffer = new byte[Integer.parseInt(arguments[2])];
    try (FileSystem fs = FileSystem.newInstance(file.toUri(), new Configuration());
        FSDataInputStream in = fs.open(file)) {
      PriorityReads.readFully(in, 0, buffer, 0, buffer.length, priority);
      System.out.println(buffer.length + " bytes");
    }
  }
}
