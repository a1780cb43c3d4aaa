// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopprio.IoPriority;
import org.hadoopprio.doctor.trace.BlockTraceEvent;
import org.hadoopprio.doctor.trace.BlockTraceInstance;
import org.hadoopprio.doctor.trace.BlockTraceUnavailableException;
import org.hadoopprio.doctor.trace.DeviceNumber;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hprio prove}. */
@Command(
    name = "prove",
    description = {
      "Gets one row with a priority and shows each hop that it passes: HBase client, RegionServer,"
          + " HDFS client, DataNode, thread, block layer. It ends with \"proven\", or says at which"
          + " hop the priority stopped, and what to do.",
      "Run it as root on the host of the RegionServer that serves the row, beside its DataNode."
          + " Take a row that nobody has read lately: the Get is not cached by the RegionServer, and"
          + " the block's file is taken out of this host's page cache, other files are not. Nothing"
          + " else changes.",
      "What is read at the disk is told by the place of the row's bytes, from the kernel's block"
          + " trace. Before Linux 6.11 that has no priorities: then the proof ends at the thread."
          + " Counters are of all requests of a daemon; on a busy one, others are among them.",
      "The exit status is 0 if it is proven, 1 if the priority stopped, and 2 for invalid input or if"
          + " it cannot be told.",
      "Example: hprio prove usertable user1000 --priority rt:0"
    },
    mixinStandardHelpOptions = true,
    versionProvider = DoctorCommand.Version.class)
public final class ProveCommand implements Callable<Integer> {

  private static final int PROVEN = 0;
  private static final int STOPPED = 1;
  private static final int CANNOT_TELL = 2;

  /** For each processor; some thousand requests, and a Get takes well below a second. */
  private static final int TRACE_KB = 1024;

  private static final String OWN_SCHEDULER = "IoPriorityRpcSchedulerFactory";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table, namespace:name or name.")
  private String table;

  @Parameters(
      index = "1",
      paramLabel = "ROW",
      description = "The row in HBase's printable form, with \\x00 for bytes.")
  private String row;

  @Option(
      names = "--priority",
      paramLabel = "PRIORITY",
      defaultValue = "rt:0",
      description = "The priority that the Get states; by default ${DEFAULT-VALUE}.")
  private String priority;

  @Option(
      names = "--conf",
      paramLabel = "DIRECTORY",
      description =
          "The directory of hbase-site.xml, core-site.xml and hdfs-site.xml; by default those of the"
              + " class path.")
  private Path conf;

  @Option(names = "--json", description = "Prints the proof as JSON.")
  private boolean json;

  private final Host host = Host.here();
  private WebClient web;

  /** Runs the command alone, as a node's {@code hprio} does. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ProveCommand()).execute(arguments));
  }

  @Override
  public Integer call() throws JsonProcessingException {
    IoPriority asked = priority();
    TableName name = name();
    byte[] key = key();
    Configuration site = site();
    web = new WebClient(() -> site);
    try (BlockTraceInstance trace = BlockTraceInstance.create();
        ColdRow cold = new ColdRow(site, name, key)) {
      Proof proof = new Proof(get(cold, asked, trace));
      PrintWriter out = spec.commandLine().getOut();
      out.println(json ? proof.toJson() : proof.toText());
      out.flush();
      return proof.holds() ? PROVEN : proof.isUndecided() ? CANNOT_TELL : STOPPED;
    } catch (TableNotFoundException e) {
      return cannotTell("there is no table " + name);
    } catch (AccessControlException | AccessDeniedException e) {
      return cannotTell(
          "this user may not read it ("
              + reason(e)
              + "); with Kerberos kinit as one who may, such as hbase, otherwise set"
              + " HADOOP_USER_NAME=hbase");
    } catch (WebClient.AccessException e) {
      return cannotTell(e.getMessage() + "; " + e.remedy());
    } catch (BlockTraceUnavailableException e) {
      return cannotTell(e.getMessage());
    } catch (IOException e) {
      return cannotTell(reason(e));
    } catch (RuntimeException | LinkageError e) {
      // Such as a codec or a name service that this command does not have.
      return cannotTell(e.toString());
    }
  }

  // ---- input --------------------------------------------------------------------------------

  private IoPriority priority() {
    try {
      IoPriority parsed = IoPriority.parse(priority);
      if (!parsed.isNone()) {
        return parsed;
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--priority: " + e.getMessage(), e);
    }
    throw new ParameterException(
        spec.commandLine(), "--priority = " + priority + ": allowed: rt, be and idle");
  }

  private byte[] key() {
    try {
      byte[] key = Bytes.toBytesBinary(row);
      if (key.length > 0) {
        return key;
      }
    } catch (IndexOutOfBoundsException e) {
      throw new ParameterException(
          spec.commandLine(), "ROW = " + row + ": \\x takes two digits", e);
    }
    throw new ParameterException(spec.commandLine(), "ROW is empty");
  }

  private TableName name() {
    try {
      return TableName.valueOf(table);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "TABLE = " + table + ": " + e.getMessage(), e);
    }
  }

  private Configuration site() {
    Configuration site;
    try {
      site =
          conf == null
              ? HBaseConfiguration.create(SiteFiles.ofClassPath())
              : HBaseConfiguration.create(SiteFiles.of(conf));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--conf: " + e.getMessage(), e);
    }
    // An operator waits; by default HBase's client tries for minutes.
    site.setInt("hbase.client.retries.number", 2);
    site.setInt("hbase.client.operation.timeout", 20_000);
    site.setInt("zookeeper.recovery.retry", 1);
    return site;
  }

  private int cannotTell(String reason) {
    spec.commandLine().getErr().println("hprio prove: " + reason);
    return CANNOT_TELL;
  }

  /** What was wrong: HBase's client wraps it, and servers send their stack traces along. */
  private static String reason(IOException e) {
    Throwable cause = e;
    while (cause instanceof RetriesExhaustedException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    boolean own = cause.getClass() == IOException.class;
    return own ? message : cause.getClass().getSimpleName() + ": " + message;
  }

  // ---- the Get ------------------------------------------------------------------------------

  private Proof.Evidence get(ColdRow cold, IoPriority asked, BlockTraceInstance trace)
      throws IOException {
    String server = cold.server().getHostname();
    if (!isHere(server)) {
      throw new IOException("the row is served by " + cold.server() + "; run this command there");
    }
    DaemonPages regionServer = new DaemonPages(cold.webAddress(), web);
    // Clients need not know where HBase's files are; the RegionServer does.
    Configuration served = regionServer.conf();
    String root = served.getTrimmed(HConstants.HBASE_DIR, "");
    if (root.isEmpty()) {
      throw new IOException("the configuration at " + regionServer + "/conf has no hbase.rootdir");
    }
    List<ColdRow.Place> places = cold.places(new org.apache.hadoop.fs.Path(root));
    DaemonPages dataNode = dataNode(places);
    List<BlockReplica> replicas = replicas(places, dataNode);
    for (BlockReplica replica : replicas) {
      if (!replica.evict()) {
        throw new IOException(
            replica
                + " stays in memory: HDFS caches it (hdfs cacheadmin), or a process has mapped it;"
                + " take another row");
      }
    }
    Set<DeviceNumber> devices =
        replicas.stream().flatMap(r -> r.devices().stream()).collect(Collectors.toSet());
    Proof.Evidence evidence = new Proof.Evidence();
    evidence.asked = asked;
    evidence.volume = replicas.get(0).volume();
    evidence.handlers = handlers(served);
    evidence.located = replicas.stream().allMatch(BlockReplica::isLocated);
    evidence.showsPriorities = BlockTraceInstance.showsPriorities();
    JsonNode regionServerBefore = AgentCounters.read(regionServer);
    JsonNode dataNodeBefore = AgentCounters.read(dataNode);
    trace.start(devices, TRACE_KB);
    long begun = System.nanoTime();
    String answer = answer(cold, asked);
    double millis = (System.nanoTime() - begun) / 1e6;
    trace.stop();
    evidence.client =
        String.format(
            "Get of row %s of %s at %s: %s in %.1f ms", row, table, asked, answer, millis);
    evidence.regionServer = new AgentCounters(regionServerBefore, AgentCounters.read(regionServer));
    evidence.dataNode = new AgentCounters(dataNodeBefore, AgentCounters.read(dataNode));
    evidence.sender = this::sender;
    evidence.requests =
        trace.recorded().stream().filter(r -> isOurs(r, replicas)).collect(Collectors.toList());
    return evidence;
  }

  private static String answer(ColdRow cold, IoPriority asked) throws IOException {
    try {
      int cells = cold.get(asked);
      return cells + (cells == 1 ? " cell" : " cells");
    } catch (DoNotRetryIOException e) {
      if (e.getClass() != DoNotRetryIOException.class) {
        throw e;
      }
      // So the policy of a RegionServer rejects; its counters will tell.
      return reason(e);
    }
  }

  private static boolean isHere(String address) throws IOException {
    return NetworkInterface.getByInetAddress(InetAddress.getByName(address)) != null;
  }

  /** The DataNode of this host that has the row. */
  private DaemonPages dataNode(List<ColdRow.Place> places) throws IOException {
    Set<String> holders = new HashSet<>();
    for (ColdRow.Place place : places) {
      for (DatanodeInfo each : place.block().getLocations()) {
        holders.add(each.getHostName());
        if (isHere(each.getIpAddr())) {
          return new DaemonPages(
              each.getInfoPort() > 0
                  ? "http://" + each.getHostName() + ":" + each.getInfoPort()
                  : "https://" + each.getHostName() + ":" + each.getInfoSecurePort(),
              web);
        }
      }
    }
    throw new IOException(
        "the row's block has no replica on this host, but on "
            + String.join(", ", holders)
            + ": the RegionServer reads it over the network; take another row, or compact the"
            + " table, which writes a replica here");
  }

  private List<BlockReplica> replicas(List<ColdRow.Place> places, DaemonPages dataNode)
      throws IOException {
    DaemonProcess process =
        DaemonProcess.at(host, dataNode)
            .orElseThrow(
                () ->
                    new IOException(
                        "the process of the DataNode at "
                            + dataNode
                            + " is not among those of this host; run this command outside of"
                            + " containers"));
    List<Volume> volumes = DataNodeVolumes.directories(dataNode);
    List<BlockReplica> replicas = new ArrayList<>();
    for (ColdRow.Place place : places) {
      BlockReplica.find(host, process, volumes, place.block().getBlock(), place.offset())
          .ifPresent(replicas::add);
    }
    if (replicas.isEmpty()) {
      throw new IOException(
          "no volume of the DataNode at " + dataNode + " has the row's block; take another row");
    }
    return replicas;
  }

  private static String handlers(Configuration served) {
    return served
            .getTrimmed("hbase.region.server.rpc.scheduler.factory.class", "")
            .endsWith(OWN_SCHEDULER)
        ? "real-time calls have handlers of their own"
        : "HBase's own RPC scheduler: the call waited for a handler like any other";
  }

  private boolean isOurs(BlockTraceEvent request, List<BlockReplica> replicas) {
    return replicas.stream()
        .anyMatch(
            r ->
                r.isLocated()
                    ? r.isReadBy(request)
                    : request.isRead() && process(request).isPresent());
  }

  /** Of a DataNode or RegionServer of this host. */
  private Optional<DaemonProcess> process(BlockTraceEvent request) {
    String status = host.read("/proc/" + request.pid() + "/status").orElse("");
    Optional<String> process =
        status.lines().filter(line -> line.startsWith("Tgid:")).map(l -> l.substring(5)).findAny();
    return process.flatMap(pid -> DaemonProcess.of(host, Long.parseLong(pid.strip())));
  }

  private String sender(BlockTraceEvent request) {
    return Stream.of(process(request).map(DaemonProcess::toString).orElse("thread"), request.comm())
        .collect(Collectors.joining(" "));
  }
}
