// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.PriorityReads;

/**
 * An application that needs hdfs-prio-api and Hadoop. It reads the start of a file ({@code FILE
 * BYTES}) at idle with {@link PriorityReads} and at rt:3 with {@link PriorityScope}, and prints the
 * jar that the API came from.
 */
public final class ApiReads {

  private ApiReads() {}

  /** Exits with an exception, and so with 1, where the two reads differ. */
  public static void main(String[] args) throws Exception {
    byte[] positioned = new byte[Integer.parseInt(args[1])];
    byte[] sequential = new byte[positioned.length];
    try (FileSystem fs = FileSystem.get(new Configuration());
        FSDataInputStream in = fs.open(new Path(args[0]))) {
      PriorityReads.readFully(in, 0, positioned, 0, positioned.length, IoPriority.IDLE);
      try (PriorityScope scope = PriorityScope.open(IoPriority.parse("rt:3"))) {
        in.readFully(sequential);
      }
    }
    if (!Arrays.equals(positioned, sequential)) {
      throw new IllegalStateException("the reads differ");
    }
    System.out.println(
        "api=" + IoPriority.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }
}
