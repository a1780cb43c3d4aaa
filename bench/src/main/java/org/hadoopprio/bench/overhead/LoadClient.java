package org.hadoopprio.bench.overhead;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A client that works on command, one operation after the other on one thread.
 *
 * <p>Each line of standard input is an operation's name, a number of seconds and a number of
 * operations: it works until both are reached. A fourth word, {@value #UNSTATED}, has it state no
 * priority this time. The answer on standard output is {@value #MARK}, then the operations done,
 * the bytes moved and the nanoseconds taken. It ends with its standard input.
 *
 * <p>Arguments: {@code plain} or a priority; the port of the DataNode to use; the number of the
 * variant's file and table. Runs without hdfs-prio unless a priority is given.
 */
public final class LoadClient {

  static final String MARK = "@done";
  static final String PLAIN = "plain";
  static final String UNSTATED = "unstated";
  static final int FILE_BYTES = 64 << 20;
  static final int PREAD_BYTES = 16 << 10;
  static final int VALUE_BYTES = 1000;
  static final int ROWS = 4000;

  private LoadClient() {}

  /** Runs until standard input ends. */
  public static void main(String[] arguments) throws IOException {
    SwitchedHint hint =
        new SwitchedHint(arguments[0].equals(PLAIN) ? Hint.none() : StatedHint.of(arguments[0]));
    InetSocketAddress dataNode =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1]));
    String number = arguments[2];
    Configuration conf = HBaseConfiguration.create();
    PrintStream out = System.out;
    try (FileSystem fs = FileSystem.newInstance(conf);
        HBaseLoad hbase = new HBaseLoad(conf, HBaseLoad.table(number), hint);
        HdfsLoad hdfs = new HdfsLoad((DistributedFileSystem) fs, dataNode, number, hint)) {
      Map<Operation, Load> loads = new EnumMap<>(Operation.class);
      loads.put(Operation.READ, hdfs::read);
      loads.put(Operation.PREAD, hdfs::pread);
      loads.put(Operation.WRITE, hdfs::write);
      loads.put(Operation.GET, hbase::get);
      BufferedReader commands =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        String[] words = line.split(" ", -1);
        hint.state(words.length < 4 || !words[3].equals(UNSTATED));
        out.println(
            run(
                loads.get(Operation.of(words[0])),
                Double.parseDouble(words[1]),
                Long.parseLong(words[2])));
        out.flush();
      }
    }
  }

  private static String run(Load load, double seconds, long leastOperations) throws IOException {
    long start = System.nanoTime();
    long length = (long) (seconds * 1e9);
    long operations = 0;
    long bytes = 0;
    long now = start;
    do {
      bytes += load.once();
      operations++;
      now = System.nanoTime();
    } while (now - start < length || operations < leastOperations);
    return String.join(
        " ", MARK, Long.toString(operations), Long.toString(bytes), Long.toString(now - start));
  }

  /** One operation; returns the bytes it has moved. */
  @FunctionalInterface
  private interface Load {
    long once() throws IOException;
  }
}
