// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/** Reads a file as a stream, again and again, by short circuit. */
public final class StreamMain {

  /** What it prints when it reads by short circuit. */
  static final String READS = "reads by short circuit";

  private StreamMain() {}

  /**
   * Ends only when it is killed, or with an exception.
   *
   * @param args the file, then settings of the client in the form key=value
   */
  public static void main(String[] args) throws IOException {
    byte[] buffer = new byte[64 << 10];
    boolean said = false;
    Configuration conf = new Configuration();
    for (String setting : Arrays.asList(args).subList(1, args.length)) {
      int equals = setting.indexOf('=');
      conf.set(setting.substring(0, equals), setting.substring(equals + 1));
    }
    try (FileSystem fs = FileSystem.get(conf)) {
      while (true) {
        try (FSDataInputStream in = fs.open(new Path(args[0]))) {
          while (in.read(buffer) >= 0) {
            long local =
                ((HdfsDataInputStream) in).getReadStatistics().getTotalShortCircuitBytesRead();
            if (!said && local > 4 << 20) {
              said = true;
              System.out.println(READS);
            }
          }
        }
      }
    }
  }
}
