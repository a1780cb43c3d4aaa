package org.hadoopprio.lab.bench.overhead;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
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
 * operations: it works until both are reached. With a fourth word, {@value #UNSTATED}, it states no
 * priority this time. The answer on standard output is {@value #MARK}, then the operations done,
 * the bytes moved and the nanoseconds taken. The client ends when its standard input ends.
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
    int dataPort = Integer.parseInt(arguments[1]);
    String number = arguments[2];
    Configuration conf = HBaseConfiguration.create();
    PrintStream out = System.out;
    try (FileSystem fs = FileSystem.newInstance(conf);
        HBaseLoad hbase = new HBaseLoad(conf, HBaseLoad.table(number), hint);
        HdfsLoad hdfs = new HdfsLoad((DistributedFileSystem) fs, dataPort, number, hint)) {
      Map<ClientOperation, Load> loads = new EnumMap<>(ClientOperation.class);
      loads.put(ClientOperation.READ, hdfs::read);
      loads.put(ClientOperation.PREAD, hdfs::pread);
      loads.put(ClientOperation.WRITE, hdfs::write);
      loads.put(ClientOperation.GET, hbase::get);
      BufferedReader commands =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        String[] words = line.split(" ", -1);
        hint.state(words.length < 4 || !words[3].equals(UNSTATED));
        out.println(
            run(
                loads.get(ClientOperation.of(words[0])),
                Double.parseDouble(words[1]),
                Long.parseLong(words[2])));
        out.flush();
      }
    }
  }

  private static String run(Load load, double seconds, long minOperations) throws IOException {
    long start = System.nanoTime();
    long length = (long) (seconds * 1e9);
    long operations = 0;
    long bytes = 0;
    long now = start;
    do {
      bytes += load.once();
      operations++;
      now = System.nanoTime();
    } while (now - start < length || operations < minOperations);
    return String.join(
        " ", MARK, Long.toString(operations), Long.toString(bytes), Long.toString(now - start));
  }

  /** One operation; returns the bytes it has moved. */
  @FunctionalInterface
  private interface Load {
    long once() throws IOException;
  }
}
