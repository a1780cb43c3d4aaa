// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hadoopprio.PriorityScope;

/**
 * Clients of HDFS files in one process, each on a thread and at a priority of its own. One reads an
 * erasure-coded file again and again, one copies files, and one holds a file open: it writes the
 * first half, and the second when it is told to.
 *
 * <p>It prints what it has done, a line each, and reads commands: {@value #CONTINUE} and {@value
 * #END}.
 */
public final class FileClients {

  /** Followed by path, seed and MiB of a file that is complete. */
  static final String WROTE = "@wrote";

  /** Followed by the path of a file that is not needed any more, and is going to be deleted. */
  static final String DELETED = "@deleted";

  /** Followed by the ports of the DataNodes that the open file is written to. */
  static final String PIPELINE = "@pipeline";

  /** Followed by a message: a client has failed. */
  static final String FAILED = "@failed";

  /** Tells it to write the second half of the open file. */
  static final String CONTINUE = "continue";

  /** Tells it to end as soon as no file is written. */
  static final String END = "end";

  static final int SOURCES = 4;
  static final int SOURCE_MIB = 32;
  static final long STRIPED_SEED = 100;

  /** The disks must have room for all. */
  private static final int KEPT_COPIES = 8;

  private static final long PIPELINE_SEED = 200;
  private static final int MIB = 1 << 20;

  private final FileSystem fs;
  private final int openMib;
  private final int stripedMib;
  private volatile boolean ending;

  private FileClients(FileSystem fs, int openMib, int stripedMib) {
    this.fs = fs;
    this.openMib = openMib;
    this.stripedMib = stripedMib;
  }

  static Path source(int number) {
    return new Path("/owners/sources/" + number);
  }

  static Path striped() {
    return new Path("/owners/striped/file");
  }

  /**
   * Works until it is told to end.
   *
   * @param arguments the size of the open file and that of the erasure-coded one, in MiB
   */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new HdfsConfiguration();
    // One block that is not full, so that all of it is at the DataNodes of one pipeline.
    int openMib = Integer.parseInt(arguments[0]);
    conf.setLong("dfs.blocksize", 2L * openMib * MIB);
    conf.set("dfs.client.block.write.replace-datanode-on-failure.policy", "ALWAYS");
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      new FileClients(fs, openMib, Integer.parseInt(arguments[1])).run();
    }
  }

  /** What a thread does. */
  private interface Work {
    void run() throws Exception;
  }

  private void run() throws Exception {
    Thread copies = start(Owner.COPY, this::copy);
    Thread reads = start(Owner.STRIPED_READ, this::readStriped);
    FSDataOutputStream[] open = new FSDataOutputStream[1];
    Path file = new Path("/owners/open");
    start(Owner.PIPELINE, () -> open[0] = writeFirstHalf(file)).join();
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Thread second = null;
    for (String line = commands.readLine(); line != null && !line.equals(END); ) {
      if (line.equals(CONTINUE)) {
        second = start(Owner.PIPELINE, () -> writeSecondHalf(file, open[0]));
      }
      line = commands.readLine();
    }
    ending = true;
    copies.join();
    reads.join();
    if (second != null) {
      second.join();
    }
  }

  private static Thread start(Owner owner, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try (PriorityScope scope = PriorityScope.open(owner.priority())) {
                work.run();
              } catch (Exception e) {
                say(FAILED, owner.label() + ": " + e);
              }
            },
            owner.name());
    thread.start();
    return thread;
  }

  private static synchronized void say(String... words) {
    System.out.println(String.join(" ", words));
    System.out.flush();
  }

  private static void wrote(Path file, long seed, int mib) {
    say(WROTE, file.toUri().getPath(), Long.toString(seed), Integer.toString(mib));
  }

  private void copy() throws IOException {
    for (int i = 0; !ending; i++) {
      int source = i % SOURCES;
      Path copy = copy(i);
      try (InputStream in = fs.open(source(source));
          FSDataOutputStream out = fs.create(copy, true)) {
        in.transferTo(out);
      }
      wrote(copy, source, SOURCE_MIB);
      if (i >= KEPT_COPIES) {
        Path old = copy(i - KEPT_COPIES);
        say(DELETED, old.toUri().getPath());
        fs.delete(old, false);
      }
    }
  }

  private static Path copy(int number) {
    return new Path("/owners/copies/" + number);
  }

  private void readStriped() throws IOException {
    while (!ending) {
      try (FSDataInputStream in = fs.open(striped())) {
        KnownData.check(in, STRIPED_SEED, stripedMib);
      }
    }
  }

  private FSDataOutputStream writeFirstHalf(Path file) throws IOException {
    FSDataOutputStream out = fs.create(file, true);
    KnownData.write(out, PIPELINE_SEED, 0, openMib / 2);
    out.hsync();
    sayPipeline(out);
    return out;
  }

  private void writeSecondHalf(Path file, FSDataOutputStream out) throws IOException {
    KnownData.write(out, PIPELINE_SEED, openMib / 2, openMib);
    out.hsync();
    sayPipeline(out);
    out.close();
    wrote(file, PIPELINE_SEED, openMib);
  }

  private static void sayPipeline(FSDataOutputStream out) {
    DatanodeInfo[] pipeline = ((DFSOutputStream) out.getWrappedStream()).getPipeline();
    say(
        PIPELINE,
        Arrays.stream(pipeline)
            .map(node -> Integer.toString(node.getXferPort()))
            .collect(Collectors.joining(" ")));
  }
}
