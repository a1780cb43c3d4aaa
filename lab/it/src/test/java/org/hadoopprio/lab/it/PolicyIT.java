// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.lab.cluster.ClusterException;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.policy.PolicyHash;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An operator of a running cluster changes policies, and users get what these allow, which metrics
 * and the slow log show. Users are those of HBase without Kerberos, which takes a client's word.
 */
class PolicyIT {

  private static final IoPriority RT0 = IoPriority.realtime(0);
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final int ROWS = 5;
  private static final TableName TABLE = TableName.valueOf("t");
  private static final TableName OTHER = TableName.valueOf("other");
  private static final org.apache.hadoop.fs.Path FILE =
      new org.apache.hadoop.fs.Path("/policy-file");

  /** A user of this machine, as of every Unix, in a group of the same name. */
  private static final String DAEMON = "daemon";

  private static final int READ_BYTES = 4096;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String REGIONSERVER_POLICY =
      "<io-priority-policy mode='log'>\n"
          + "<rule user='alice' highest='rt:3'/>\n"
          + "<rule user='alice' table='other' highest='be:2'/>\n"
          + "<rule group='daemon' highest='be:6'/>\n"
          + "</io-priority-policy>\n";
  private static final String DATANODE_POLICY =
      "<io-priority-policy>\n<rule user='*' highest='rt:2'/>\n</io-priority-policy>\n";

  private static LocalCluster cluster;
  private static Connection admin;

  @BeforeAll
  static void start() throws Exception {
    cluster = SharedCluster.get();
    admin = ConnectionFactory.createConnection(cluster.hbaseConf());
    for (TableName name : List.of(TABLE, OTHER)) {
      try (Admin a = admin.getAdmin();
          Table table = admin.getTable(name)) {
        a.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
        table.put(new Put(ROW).addColumn(FAMILY, FAMILY, new byte[64]));
        for (int i = 1; i < ROWS; i++) {
          table.put(new Put(Bytes.add(ROW, Bytes.toBytes(i))).addColumn(FAMILY, FAMILY, ROW));
        }
        a.flush(name);
      }
    }
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      SampleFile.write(fs, FILE, 1);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (admin != null) {
      try (Admin a = admin.getAdmin()) {
        SharedCluster.resetPolicies(a);
      }
      Clusters.drop(admin, TABLE, OTHER);
      admin.close();
    }
  }

  @BeforeEach
  void policiesAreTheTestsOwn() throws IOException {
    setRegionServerPolicy(REGIONSERVER_POLICY);
    setDataNodePolicy(DATANODE_POLICY);
  }

  private static Daemon regionServer() {
    return cluster.daemon(Role.REGIONSERVER);
  }

  private static Daemon dataNode() {
    return cluster.daemon(Role.DATANODE);
  }

  private static long counter(Daemon daemon, String name) throws IOException {
    return Clusters.metric(cluster, daemon, name).asLong();
  }

  private static Connection connect(String user) throws IOException {
    return ConnectionFactory.createConnection(
        cluster.hbaseConf(), User.create(UserGroupInformation.createRemoteUser(user)));
  }

  private static void get(Connection connection, TableName name, byte[] attribute)
      throws IOException {
    Get get = new Get(ROW);
    get.setAttribute(IoPriority.ATTRIBUTE, attribute);
    try (Table table = connection.getTable(name)) {
      assertFalse(table.get(get).isEmpty());
    }
  }

  private static void setRegionServerPolicy(String policy) throws IOException {
    try (Admin a = admin.getAdmin()) {
      SharedCluster.setRegionServerPolicy(a, policy);
    }
  }

  private static void setDataNodePolicy(String policy) throws IOException {
    SharedCluster.setDataNodePolicy(policy);
  }

  /** The priorities in the slow log's lines about calls, from a place in the log on, in order. */
  private static List<String> slowLogged(String method, long from) throws IOException {
    String log = Files.readString(regionServer().logFile()).substring((int) from);
    Matcher line =
        Pattern.compile("\\(responseTooLarge\\): .*\"call\":\"" + method + "\\([^)]*\\)([^\"]*)\"")
            .matcher(log);
    List<String> found = new ArrayList<>();
    while (line.find()) {
      found.add(line.group(1));
    }
    return found;
  }

  /** Look-ups in hbase:meta are scans as well, and so is a scan's end, which reads nothing. */
  private static List<String> prioritised(String method, long from) throws IOException {
    List<String> found = slowLogged(method, from);
    found.removeIf(String::isEmpty);
    return found;
  }

  private static Set<String> slowLogOf(String user, TableName table, String priority)
      throws Exception {
    long from = Files.readString(regionServer().logFile()).length();
    try (Connection connection = connect(user)) {
      get(connection, table, priority == null ? null : Bytes.toBytes(priority));
    }
    return new TreeSet<>(
        await("the Get is in the slow log")
            .atMost(PATIENCE)
            .until(() -> slowLogged("Get", from), found -> !found.isEmpty()));
  }

  @Test
  void usersGroupsAndTablesHaveTheirOwnLimitsAndTheSlowLogShowsIt() throws Exception {
    assertEquals(Set.of(" io.priority=rt:3"), slowLogOf("alice", TABLE, "rt:0"));
    assertEquals(Set.of(" io.priority=rt:5"), slowLogOf("alice", TABLE, "rt:5"));
    assertEquals(Set.of(" io.priority=be:2"), slowLogOf("alice", OTHER, "rt:0"));
    for (String user : List.of(DAEMON, "bin")) {
      try (Connection connection = connect(user)) {
        awaitGroups(connection);
      }
    }
    assertEquals(Set.of(" io.priority=be:6"), slowLogOf(DAEMON, TABLE, "rt:0"));
    assertEquals(Set.of(" io.priority=be:0"), slowLogOf("bin", TABLE, "rt:0"));
    assertEquals(Set.of(""), slowLogOf("no-user-of-this-host", TABLE, "rt:0"), "has no groups");
    assertEquals(Set.of(""), slowLogOf("alice", TABLE, null), "a stock line");
  }

  @Test
  void aWrongPolicyIsRefusedByUpdateConfigAndTheOldOneStays() throws Exception {
    IOException e =
        assertThrows(
            IOException.class,
            () ->
                setRegionServerPolicy(
                    "<io-priority-policy>\n<rule user='alice' highest='rt:0'/>\n"
                        + "<rule user='alice' highest='be:0'/>\n</io-priority-policy>\n"));
    String expected =
        HBaseKeys.POLICY.name()
            + " = \""
            + SharedCluster.regionServerPolicy()
            + "\": line 3: the rule for user \"alice\" overlaps the one in line 2; the"
            + " previous policy stays in force";
    assertTrue(e.getMessage().contains(expected), e.getMessage());
    assertTrue(Files.readString(regionServer().logFile()).contains(expected));
    assertEquals(Set.of(" io.priority=rt:3"), slowLogOf("alice", TABLE, "rt:0"));
  }

  @Test
  void rejectIsAnErrorForTheClientOnlyWhereTheOperatorChoseIt() throws Exception {
    setRegionServerPolicy(REGIONSERVER_POLICY.replace("mode='log'", "mode='reject'"));
    long before = counter(regionServer(), "Rejected");
    try (Connection daemon = connect(DAEMON)) {
      awaitGroups(daemon);
      DoNotRetryIOException e =
          assertThrows(
              DoNotRetryIOException.class, () -> get(daemon, TABLE, Bytes.toBytes("be:0")));
      assertTrue(
          e.getMessage().contains("I/O priority be:0 is not allowed (operation attribute"),
          e.getMessage());
      assertTrue(
          e.getMessage().contains("the policy's rule for group \"daemon\" (line 4) allows be:6"),
          e.getMessage());
      get(daemon, TABLE, Bytes.toBytes("idle"));
      get(daemon, TABLE, Bytes.toBytes("turbo"));
    }
    assertEquals(before + 1, counter(regionServer(), "Rejected"));
  }

  /** Waits until the RegionServer knows the groups of the connection's user. */
  private static void awaitGroups(Connection user) {
    await("the groups are known")
        .atMost(PATIENCE)
        .until(
            () -> {
              long unknown = counter(regionServer(), "GroupsUnknown");
              get(user, TABLE, Bytes.toBytes("be:6"));
              return counter(regionServer(), "GroupsUnknown") == unknown;
            });
  }

  private static void writeStoreFile() throws IOException {
    try (Admin a = admin.getAdmin();
        Table table = admin.getTable(TABLE)) {
      table.put(new Put(ROW).addColumn(FAMILY, FAMILY, new byte[64]));
      a.flush(TABLE);
    }
  }

  /** A store file that is written has the priority of flushes, if the RegionServer states any. */
  @Test
  void anObservingRegionServerStatesNothingAndRejectsNothing() throws Exception {
    setRegionServerPolicy(REGIONSERVER_POLICY.replace("mode='log'", "mode='reject'"));
    cluster.reconfigure(regionServer(), o -> o.conf(HBaseKeys.MODE.name(), "observe"));
    long stamped = counter(regionServer(), "Stamped");
    try (Connection daemon = connect(DAEMON)) {
      assertTrue(Clusters.metric(cluster, regionServer(), "Observing").asBoolean());
      long rejected = counter(regionServer(), "Rejected");
      // Nobody waits for the user's groups; until they are known nothing is counted.
      await("a rejection is counted")
          .atMost(PATIENCE)
          .until(
              () -> {
                get(daemon, TABLE, Bytes.toBytes("be:0"));
                return counter(regionServer(), "Rejected") > rejected;
              });
      assertEquals(rejected + 1, counter(regionServer(), "Rejected"));
      writeStoreFile();
      assertEquals(stamped, counter(regionServer(), "Stamped"));
    } finally {
      cluster.reconfigure(regionServer(), o -> o.conf(HBaseKeys.MODE.name(), "on"));
    }
    writeStoreFile();
    assertTrue(counter(regionServer(), "Stamped") > stamped, "on again");
  }

  /** The DataNode believes one tenant only, so it tells when another one is named. */
  @Test
  void aRegionServerSaysForWhichTenantItReadsAndWrites() throws Exception {
    String tenants = "<io-priority-policy>\n<tenant name='etl'/><tenant name='shop'/>\n";
    setDataNodePolicy(
        tenants + "<rule user='*' highest='rt:2' on-behalf-of='etl'/>\n</io-priority-policy>\n");
    String rules =
        tenants
            + "<rule user='alice' highest='be:0' tenant='shop'/>\n"
            + "<rule user='bob' highest='be:0' tenant='etl'/>\n";
    setRegionServerPolicy(
        rules + "<rule user='*' table='t' highest='be:0' tenant='etl'/>\n</io-priority-policy>\n");
    try (Connection alice = connect("alice");
        Connection bob = connect("bob")) {
      writeStoreFile();
      long refused = counter(dataNode(), "TenantsRefused");
      writeStoreFile();
      get(bob, TABLE, null);
      assertEquals(refused, counter(dataNode(), "TenantsRefused"));
      writeStoreFile();
      get(alice, TABLE, null);
      long ofGets = counter(dataNode(), "TenantsRefused");
      assertTrue(ofGets > refused, "a Get");
      setRegionServerPolicy(
          rules
              + "<rule user='*' table='t' highest='be:0' tenant='shop'/>\n</io-priority-policy>\n");
      writeStoreFile();
      assertTrue(counter(dataNode(), "TenantsRefused") > ofGets, "a flush");
    }
    awaitLogged(dataNode(), " may not name tenant shop, and counts for default; ");
  }

  @Test
  void theAuditLogsSayWhoWasGrantedRealtime() throws Exception {
    cluster.reconfigure(regionServer(), o -> o.conf(HBaseKeys.AUDIT.name(), "rt:7"));
    cluster.reconfigure(dataNode(), o -> o.conf(DataNodeKeys.AUDIT.name(), "rt:7"));
    try (Connection alice = connect("alice");
        FileSystem fs = FileSystem.newInstance(cluster.hadoopConf());
        FSDataInputStream in = fs.open(FILE)) {
      get(alice, TABLE, Bytes.toBytes("rt:6"));
      read(in, IoPriority.realtime(2));
    } finally {
      cluster.reconfigure(regionServer(), o -> o.conf(HBaseKeys.AUDIT.name(), ""));
      cluster.reconfigure(dataNode(), o -> o.conf(DataNodeKeys.AUDIT.name(), ""));
    }
    awaitLogged(regionServer(), " outcome=granted asked=rt:6 granted=rt:6 address=");
    awaitLogged(regionServer(), " user=\"alice\" table=\"t\" because=");
    awaitLogged(dataNode(), " outcome=granted asked=rt:2 granted=rt:2 address=");
  }

  private static void awaitLogged(Daemon daemon, String text) {
    await(daemon.name() + " logs " + text)
        .atMost(PATIENCE)
        .until(() -> !Clusters.logged(daemon, text).isEmpty());
  }

  @Test
  void aCapServesTheExcessAtBestEffort() throws Exception {
    setRegionServerPolicy(
        "<io-priority-policy><rule user='alice' highest='rt:0'>"
            + "<cap class='rt' concurrent='4' rate='1'/></rule></io-priority-policy>");
    long capped = counter(regionServer(), "Capped");
    long rejected = counter(regionServer(), "Rejected");
    try (Connection alice = connect("alice")) {
      for (int i = 0; i < 50; i++) {
        get(alice, TABLE, Bytes.toBytes("rt:0"));
      }
    }
    assertTrue(counter(regionServer(), "Capped") > capped);
    assertEquals(rejected, counter(regionServer(), "Rejected"));
  }

  /** One of them may have come in the second before. */
  @Test
  void aCapCountsEachGetOfABatchWhoseConnectionHasThePriority() throws Exception {
    setRegionServerPolicy(
        "<io-priority-policy><rule user='alice' highest='rt:0'>"
            + "<cap class='rt' rate='1'/></rule></io-priority-policy>");
    int gets = 50;
    long capped = counter(regionServer(), "Capped");
    try (Connection alice =
            ConnectionFactory.createConnection(
                cluster.hbaseConf(),
                null,
                User.create(UserGroupInformation.createRemoteUser("alice")),
                IoPriorities.connectionAttributes(RT0));
        Table table = alice.getTable(TABLE)) {
      for (Result result : table.get(Collections.nCopies(gets, new Get(ROW)))) {
        assertFalse(result.isEmpty());
      }
    }
    long more = counter(regionServer(), "Capped") - capped;
    System.err.println(more + " of a batch of " + gets + " Gets above a cap of 1 a second");
    assertTrue(more >= gets - 2, more + " of " + gets);
  }

  @Test
  void aLowerRightReachesAnOpenScanAndTheSlowLogShowsEachOfItsCalls() throws Exception {
    long calls = classRequests(regionServer(), "IoPriorityCalls-rt");
    long from = Files.readString(regionServer().logFile()).length();
    Scan scan = IoPriorities.set(new Scan().setCaching(1).setMaxResultSize(1), RT0);
    try (Connection alice = connect("alice");
        Table table = alice.getTable(TABLE);
        ResultScanner scanner = table.getScanner(scan)) {
      assertFalse(scanner.next().isEmpty());
      assertFalse(scanner.next().isEmpty());
      setRegionServerPolicy(REGIONSERVER_POLICY.replace("rt:3", "be:1"));
      assertFalse(scanner.next().isEmpty());
      assertFalse(scanner.next().isEmpty());
    }
    String before = " io.priority=rt:3";
    String after = " io.priority=be:1";
    await("the calls are in the slow log")
        .atMost(PATIENCE)
        .until(() -> prioritised("Scan", from).size() == 4);
    assertEquals(List.of(before, before, after, after), prioritised("Scan", from));
    awaitRequests(regionServer(), "IoPriorityCalls-rt", calls + 2);
  }

  @Test
  void theDataNodesPolicyIsChangedLiveAndAWrongOneIsRefused() throws Exception {
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf());
        FSDataInputStream in = fs.open(FILE)) {
      long realtime = counter(dataNode(), "GrantedRealtime");
      read(in, RT0);
      assertEquals(realtime + 1, counter(dataNode(), "GrantedRealtime"));

      String none = "<io-priority-policy/>";
      setDataNodePolicy(none);
      JsonNode shown = Clusters.metric(cluster, dataNode(), "Policies").path(0);
      assertEquals(
          PolicyHash.of(none.getBytes(StandardCharsets.UTF_8)), shown.path("hash").asText());
      read(in, RT0);
      assertEquals(realtime + 1, counter(dataNode(), "GrantedRealtime"), "the key's be:0");

      ClusterException e =
          assertThrows(
              ClusterException.class,
              () ->
                  setDataNodePolicy(
                      "<io-priority-policy>\n<cap class='rt' rate='-5'/>\n"
                          + "<rule user='*' highest='rt:0'/>\n</io-priority-policy>"));
      assertTrue(
          e.getMessage()
              .contains(
                  DataNodeKeys.POLICY_FILE.name()
                      + " = \""
                      + SharedCluster.dataNodePolicy()
                      + "\": line 2: rate = \"-5\": allowed: a whole number from 1 to 1000000"),
          e.getMessage());
      read(in, RT0);
      assertEquals(realtime + 1, counter(dataNode(), "GrantedRealtime"), "the old one stays");

      setDataNodePolicy("<io-priority-policy mode='reject'/>");
      long rejected = counter(dataNode(), "Rejected");
      long bestEffort = counter(dataNode(), "GrantedBestEffort");
      read(in, RT0);
      assertEquals(rejected + 1, counter(dataNode(), "Rejected"));
      assertEquals(bestEffort, counter(dataNode(), "GrantedBestEffort"), "normal, no failed read");
    }
  }

  private static void read(FSDataInputStream in, IoPriority priority) throws IOException {
    PriorityReads.readFully(in, 0, new byte[READ_BYTES], 0, READ_BYTES, priority);
  }

  @Test
  void nobodyWithoutTheRightGetsRealtimeWhateverIsOnTheWire() throws Exception {
    setDataNodePolicy("<io-priority-policy/>");
    long realtime = counter(dataNode(), "GrantedRealtime");
    long calls = classRequests(regionServer(), "IoPriorityCalls-rt");
    long logged = Files.size(dataNode().logFile());
    Random random = new Random(536_000_001);
    int requests = Scale.FORGED_REQUESTS.value();
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf());
        FSDataInputStream in = fs.open(FILE)) {
      LocatedBlock block = ((HdfsDataInputStream) in).getAllBlocks().get(0);
      for (int i = 0; i < requests; i++) {
        assertEquals(Status.SUCCESS, RawRead.send(block, Fuzz.field(random), READ_BYTES));
      }
    }
    try (Connection mallory = connect("mallory")) {
      for (int i = 0; i < requests; i++) {
        get(mallory, TABLE, Fuzz.attribute(random));
      }
    }
    // One that is granted comes last: when it is counted, the others would be.
    try (Connection alice = connect("alice")) {
      get(alice, TABLE, Bytes.toBytes("rt:3"));
    }
    awaitRequests(regionServer(), "IoPriorityCalls-rt", calls + 1);
    assertEquals(realtime, counter(dataNode(), "GrantedRealtime"));
    assertEquals(calls + 1, classRequests(regionServer(), "IoPriorityCalls-rt"));
    String added = Files.readString(dataNode().logFile()).substring((int) logged);
    assertTrue(
        added.lines().filter(l -> l.contains("hadoopprio")).count() <= 10,
        () -> "a log flood: " + added.lines().limit(30).toArray().length);
    assertEquals(0, counter(dataNode(), "Failed"));
    assertEquals(0, counter(regionServer(), "Failed"));
  }

  /**
   * HBase takes the metrics of its daemons away for half a second, 5 s after a region was opened or
   * closed (JmxCacheBuster): neither a missing bean nor a missing sample is a count of 0.
   */
  private static <T> T shown(Daemon daemon, String what, Callable<Optional<T>> read) {
    return await(daemon.name() + " has " + what)
        .pollDelay(Duration.ZERO)
        .atMost(PATIENCE)
        .until(read, Optional::isPresent)
        .get();
  }

  private static JsonNode bean(Daemon daemon, String name) {
    return shown(
        daemon,
        name,
        () -> {
          JsonNode beans = cluster.jmx(daemon, "Hadoop:service=*,name=" + name);
          assertTrue(beans.size() <= 1, name + " is not one bean");
          return Optional.ofNullable(beans.get(0));
        });
  }

  private static long classRequests(Daemon daemon, String name) {
    String record = name.substring(0, name.indexOf('-'));
    String ioClass = name.substring(name.indexOf('-') + 1);
    String key = Scrape.prometheusName(record, "Requests");
    return shown(
        daemon,
        key,
        () -> {
          OptionalDouble value =
              Scrape.parse(cluster.page(daemon, promPath(daemon)))
                  .value(key, Map.of("class", ioClass));
          return value.isPresent() ? Optional.of((long) value.getAsDouble()) : Optional.empty();
        });
  }

  private static void awaitRequests(Daemon daemon, String name, long least) {
    await(least + " of " + name)
        .atMost(PATIENCE)
        .until(() -> classRequests(daemon, name), requests -> requests >= least);
  }

  private static void awaitBytes(Daemon daemon, String name, long least) {
    await(least + " bytes of " + name)
        .atMost(PATIENCE)
        .until(() -> bean(daemon, name).get("Bytes").asLong(), bytes -> bytes >= least);
  }

  private static String promPath(Daemon daemon) {
    return daemon.role() == Role.DATANODE ? "/prom" : "/prometheus";
  }

  @Test
  void scrapesAndJmxShowWhatHasBeenServed() throws Exception {
    // The idle Get below then finds its blocks in the RegionServer's cache.
    get(admin, TABLE, null);
    long reads = classRequests(dataNode(), "IoPriorityReads-idle");
    long calls = classRequests(regionServer(), "IoPriorityCalls-idle");
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf());
        FSDataInputStream in = fs.open(FILE);
        Connection daemon = connect(DAEMON)) {
      read(in, IoPriority.IDLE);
      get(daemon, TABLE, Bytes.toBytes("idle"));
    }
    awaitRequests(dataNode(), "IoPriorityReads-idle", reads + 1);
    awaitRequests(regionServer(), "IoPriorityCalls-idle", calls + 1);
    assertEquals(reads + 1, classRequests(dataNode(), "IoPriorityReads-idle"));
    assertEquals(calls + 1, classRequests(regionServer(), "IoPriorityCalls-idle"));
    awaitBytes(dataNode(), "IoPriorityReads-idle", READ_BYTES);
    awaitBytes(regionServer(), "IoPriorityCalls-idle", 1);
    for (Daemon daemon : List.of(dataNode(), regionServer())) {
      JsonNode process = bean(daemon, "IoPriority");
      assertEquals(
          process.get("HooksTotal").asInt(), process.get("HooksApplied").asInt(), daemon.name());
    }
  }
}
