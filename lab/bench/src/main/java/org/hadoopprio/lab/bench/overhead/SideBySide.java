package org.hadoopprio.lab.bench.overhead;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.DiskKind;

/**
 * One cluster in which each {@link Variant} has a daemon of its own, a DataNode or a RegionServer,
 * and a client of its own that uses only that one. Not safe for use by several threads.
 */
final class SideBySide implements Bed {

  /** Needs no privilege; both a DataNode and a RegionServer grant it. */
  static final String HINT = "be:3";

  private static final List<Variant> VARIANTS = Variant.FOR_HINTS;
  private static final String CLIENT_HEAP = "-Xmx256m";
  private static final String REGISTERED = "successfully registered with NN";
  private static final DateTimeFormatter LOG_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final int LOG_TIME_LENGTH = 23;

  private final LocalCluster cluster;
  private final Role role;
  private final int turn;
  private final Map<Variant, ClientProcess> clients = new EnumMap<>(Variant.class);
  private final List<String> commands = new ArrayList<>();

  private SideBySide(LocalCluster cluster, Role role, int turn) {
    this.cluster = cluster;
    this.role = role;
    this.turn = turn;
  }

  /**
   * Starts all daemons and clients.
   *
   * @param role the daemons to compare: DataNodes or RegionServers
   * @param turn shifts the order of the variants, which decides who starts first and gets which
   *     ports
   */
  static SideBySide start(Path directory, Role role, int turn) throws IOException {
    ClusterBuilder builder =
        LocalCluster.builder(directory)
            .stopAtExit(true)
            .progress(Progress.silent())
            .disk(DiskKind.DIR)
            .yarn(false)
            .hbase(role == Role.REGIONSERVER)
            .stock()
            // It would place a client's file on another DataNode because the client's own is busy.
            .conf("dfs.namenode.redundancy.considerLoad", "false")
            // Deletes what clients have overwritten soon, before it must be written to disk.
            .conf("dfs.heartbeat.interval", "1")
            .conf("dfs.namenode.redundancy.interval.seconds", "1")
            // Closing a file polls the NameNode; a first wait of 400 ms would be most of the file's
            // time.
            .conf("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "2")
            .conf("dfs.client.block.write.locateFollowingBlock.retries", "14");
    int count = VARIANTS.size();
    if (role == Role.REGIONSERVER) {
      builder.dataNodes(1).regionServers(count);
    } else {
      builder.dataNodes(count);
    }
    for (Variant variant : VARIANTS) {
      builder.configure(daemonName(role, variant, turn), options -> options.agent(variant.agent()));
    }
    SideBySide started = new SideBySide(builder.start(), role, turn);
    try {
      if (role == Role.REGIONSERVER) {
        started.makeTables();
      }
      started.startClients();
    } catch (IOException | RuntimeException e) {
      started.closeAfter(e);
      throw e;
    }
    return started;
  }

  private static int place(Variant variant, int turn) {
    return Math.floorMod(VARIANTS.indexOf(variant) + turn, VARIANTS.size()) + 1;
  }

  private static String daemonName(Role role, Variant variant, int turn) {
    return role.label() + "-" + place(variant, turn);
  }

  private Daemon daemon(Variant variant) {
    return cluster.daemon(daemonName(role, variant, turn));
  }

  /** A table for each variant, with its one region on the variant's RegionServer. */
  private void makeTables() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true);
      for (Variant variant : VARIANTS) {
        TableName name = HBaseLoad.table(variant.label());
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(HBaseLoad.FAMILY))
                .build());
        RegionInfo region = admin.getRegions(name).get(0);
        admin.move(Bytes.toBytes(region.getEncodedName()), server(admin, variant));
        try (Table table = connection.getTable(name)) {
          HBaseLoad.fill(table);
        }
        // From here on, rows come from a file, through the block cache.
        admin.flush(name);
      }
    }
  }

  private ServerName server(Admin admin, Variant variant) throws IOException {
    int port = daemon(variant).port("rpc");
    return admin.getRegionServers().stream()
        .filter(server -> server.getPort() == port)
        .findFirst()
        .orElseThrow(() -> new IOException("no RegionServer listens on port " + port));
  }

  private void startClients() throws IOException {
    List<Variant> order = new ArrayList<>(VARIANTS);
    order.sort(Comparator.comparingInt(variant -> place(variant, turn)));
    for (Variant variant : order) {
      clients.put(variant, startClient(variant));
    }
  }

  private ClientProcess startClient(Variant variant) throws IOException {
    Daemon dataNode =
        role == Role.DATANODE ? daemon(variant) : cluster.daemons(Role.DATANODE).get(0);
    ClientCommand command =
        cluster
            .client(
                LoadClient.class,
                variant.hinted() ? HINT : LoadClient.PLAIN,
                Integer.toString(dataNode.port("data")),
                variant.label())
            .jvmOption(CLIENT_HEAP)
            .jvmOption("-XX:+UseSerialGC");
    if (!variant.agent()) {
      command.stock();
    }
    ProcessBuilder builder = command.toProcessBuilder();
    commands.add(variant.label() + ": " + CommandLines.shorten(builder.command()));
    return ClientProcess.start(
        builder, cluster.directory().resolve("logs/client-" + variant.label() + ".log"));
  }

  /** The clients' command lines; an operation is then written to their standard input. */
  List<String> commands() {
    return Collections.unmodifiableList(commands);
  }

  @Override
  public void warmUp(OverheadSettings settings, StepLog log) throws IOException {
    for (ClientOperation operation : ClientOperation.values()) {
      if (operation.role() == role) {
        log.say("warming up " + operation.words());
        warmUp(operation, settings.warmUp(operation));
      }
    }
  }

  /** Lets all clients work at the same time. */
  private void warmUp(ClientOperation operation, long operations) throws IOException {
    String command = operation.label() + " 0 " + operations;
    clients.values().forEach(client -> client.start(command));
    for (ClientProcess client : clients.values()) {
      client.await();
    }
    ClientProcess hinted = clients.get(Variant.HINTED);
    hinted.start(command + " " + LoadClient.UNSTATED);
    hinted.await();
  }

  /**
   * Lets one client work alone.
   *
   * @param command see {@link LoadClient}
   */
  Block measure(Variant variant, String command) throws IOException {
    ClientProcess client = clients.get(variant);
    long daemon = pid(daemon(variant));
    double daemonBefore = ProcessCpu.seconds(daemon);
    double clientBefore = ProcessCpu.seconds(client.pid());
    client.start(command);
    ClientProcess.Done done = client.await();
    return new Block(
        done.operations,
        done.bytes,
        done.seconds,
        ProcessCpu.seconds(daemon) - daemonBefore,
        ProcessCpu.seconds(client.pid()) - clientBefore);
  }

  /** Restarts a variant's DataNode. */
  StartUp restart(Variant variant) throws IOException {
    Daemon dataNode = daemon(variant);
    cluster.stop(dataNode);
    long lines = logLines(dataNode).size();
    long before = System.currentTimeMillis();
    cluster.start(dataNode);
    double cpu = ProcessCpu.seconds(pid(dataNode));
    // The log has the exact moment; the cluster polls only four times a second.
    return new StartUp((registered(dataNode, lines) - before) / 1e3, cpu);
  }

  private static long registered(Daemon dataNode, long skippedLines) throws IOException {
    String line =
        logLines(dataNode).stream()
            .skip(skippedLines)
            .filter(l -> l.contains(REGISTERED))
            .findFirst()
            .orElseThrow(
                () ->
                    new IOException(
                        dataNode.logFile() + " does not contain \"" + REGISTERED + "\""));
    try {
      return LocalDateTime.parse(line.substring(0, LOG_TIME_LENGTH), LOG_TIME)
          .atZone(ZoneId.systemDefault())
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new IOException(dataNode.logFile() + " has a line without a time stamp: " + line, e);
    }
  }

  private static List<String> logLines(Daemon daemon) throws IOException {
    return Files.readAllLines(daemon.logFile(), StandardCharsets.ISO_8859_1);
  }

  private static long pid(Daemon daemon) throws IOException {
    OptionalLong pid = daemon.pid();
    if (pid.isEmpty()) {
      throw new IOException(daemon.name() + " is not running; see " + daemon.logFile());
    }
    return pid.getAsLong();
  }

  private void closeAfter(Exception failure) {
    try {
      close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      for (ClientProcess client : clients.values()) {
        client.close();
      }
    } finally {
      cluster.stop();
    }
  }
}
