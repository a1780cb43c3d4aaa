// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;

/**
 * A client that reads small pieces at random positions of one file, on command and on one thread.
 *
 * <p>Each line of standard input is a number of seconds, and a priority or {@value #NONE}. The
 * answer on standard output is {@value #MARK} and the number of reads.
 */
public final class ReadClient {

  static final String MARK = "@done";
  static final String NONE = "none";
  static final int FILE_BYTES = 64 << 20;
  static final int READ_BYTES = 16 << 10;

  private static final Path FILE = new Path("/overhead");
  private static final double NANOS = 1e9;

  private final FSDataInputStream in;
  private final byte[] buffer = new byte[READ_BYTES];
  private final Random random = new Random(1);

  private ReadClient(FSDataInputStream in) {
    this.in = in;
  }

  /** Writes the file and reads until standard input ends. */
  public static void main(String[] arguments) throws IOException {
    Configuration conf = new HdfsConfiguration();
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream answers = System.out;
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      write(fs);
      try (FSDataInputStream in = fs.open(FILE)) {
        ReadClient client = new ReadClient(in);
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
          String[] words = line.split(" ", -1);
          answers.println(MARK + " " + client.run(Double.parseDouble(words[0]), words[1]));
          answers.flush();
        }
      }
    }
  }

  private static void write(FileSystem fs) throws IOException {
    byte[] chunk = new byte[1 << 20];
    new Random(1).nextBytes(chunk);
    try (OutputStream out = fs.create(FILE)) {
      for (int written = 0; written < FILE_BYTES; written += chunk.length) {
        out.write(chunk);
      }
    }
  }

  private long run(double seconds, String priority) throws IOException {
    long end = System.nanoTime() + (long) (seconds * NANOS);
    long reads = 0;
    if (priority.equals(NONE)) {
      for (; System.nanoTime() < end; reads++) {
        readOne();
      }
      return reads;
    }
    IoPriority stated = IoPriority.parse(priority);
    for (; System.nanoTime() < end; reads++) {
      // As an application that states it for each request.
      try (PriorityScope scope = PriorityScope.open(stated)) {
        readOne();
      }
    }
    return reads;
  }

  private void readOne() throws IOException {
    in.readFully(random.nextInt(FILE_BYTES - READ_BYTES), buffer, 0, READ_BYTES);
  }
}
