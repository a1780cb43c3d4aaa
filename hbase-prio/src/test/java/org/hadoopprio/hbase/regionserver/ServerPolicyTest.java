// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.AuditLog;
import org.hadoopprio.policy.PolicyFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The effect of a RegionServer's policy on a call of user "someone" in group "people". */
class ServerPolicyTest {

  private static final byte[] RT0 = Bytes.toBytes("rt:0");

  @TempDir private Path directory;

  private static final String ONE_A_SECOND =
      "<rule user='someone' highest='rt:0'><cap class='rt' rate='1'/></rule>";

  private PriorityResolver resolver(String policy) throws IOException {
    return new PriorityResolver(policy(load(policy)));
  }

  private CallPriorityProvider provider(String rules) throws IOException {
    return new CallPriorityProvider(policy(policyFile(rules)));
  }

  private static PriorityPolicy policy(PolicyFile access) {
    return PriorityPolicy.from(new Configuration(false), access);
  }

  private PolicyFile policyFile(String rules) throws IOException {
    return load(rules(rules));
  }

  private static String rules(String rules) {
    return "<io-priority-policy>" + rules + "</io-priority-policy>";
  }

  private PolicyFile load(String policy) throws IOException {
    PolicyFile access = new PolicyFile(HBaseKeys.POLICY);
    access.load(write(policy));
    return access;
  }

  private String write(String policy) throws IOException {
    return Files.writeString(directory.resolve("policy.xml"), policy).toAbsolutePath().toString();
  }

  private static RpcCall call(String request) {
    return Calls.call(null, request, null);
  }

  @Test
  void userGroupAndTableDecide() throws IOException {
    PriorityResolver resolver =
        resolver(
            "<io-priority-policy>"
                + "<rule group='people' highest='be:3'/>"
                + "<rule user='someone' table='hot' highest='rt:1'/>"
                + "<rule user='someoneelse' highest='rt:0'/></io-priority-policy>");
    TablePriority hot = PriorityResolverTest.table("hot", null);
    TablePriority cold = PriorityResolverTest.table("cold", null);
    Calls.awaitGroups();
    assertEquals(IoPriority.realtime(1), resolver.resolve(call(null), RT0, hot));
    assertEquals(IoPriority.bestEffort(3), resolver.resolve(call(null), RT0, cold));
    assertEquals(IoPriority.bestEffort(3), resolver.resolve(call("rt:0"), null, null));
    assertEquals(
        IoPriority.realtime(1),
        resolver.peek(RT0, new CallRequester(call(null), hot)),
        "the scheduler sees the same");
  }

  private static final byte[] REGION = Bytes.toBytes("region");

  private static Get get(String... families) {
    Get get = new Get(Bytes.toBytes("row"));
    for (String family : families) {
      get.addFamily(Bytes.toBytes(family));
    }
    return get;
  }

  private static Action action(Get get) throws IOException {
    return Action.newBuilder().setGet(ProtobufUtil.toGet(get)).build();
  }

  private static MultiRequest batch(Get... gets) throws IOException {
    RegionAction.Builder region =
        RegionAction.newBuilder()
            .setRegion(
                RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, REGION));
    for (Get each : gets) {
      region.addAction(action(each));
    }
    return MultiRequest.newBuilder().addRegionAction(region).build();
  }

  private static RegionAction changes(Put put) throws IOException {
    return RegionAction.newBuilder()
        .setRegion(RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, REGION))
        .addAction(Action.newBuilder().setMutation(ProtobufUtil.toMutation(MutationType.PUT, put)))
        .build();
  }

  @Test
  void aRulesFamilyIsThatOfAllThatACallReadsOrChanges() throws Exception {
    PriorityResolver resolver =
        resolver(
            rules(
                "<rule user='someone' highest='be:1'/>"
                    + "<rule user='someone' family='raw' highest='be:6'/>"));
    Put put = new Put(Bytes.toBytes("row")).addColumn(Bytes.toBytes("raw"), null, new byte[1]);
    MutateRequest change = RequestConverter.buildMutateRequest(REGION, put);
    Message[] within = {
      RequestConverter.buildGetRequest(REGION, get("raw")),
      RequestConverter.buildScanRequest(REGION, new Scan(get("raw")), 1, false),
      change,
      batch(get("raw"), get("raw")),
    };
    for (Message each : within) {
      assertEquals(6, resolver.resolve(Calls.call(each, null, null), RT0, null).level(), "" + each);
    }
    Message[] others = {
      RequestConverter.buildGetRequest(REGION, get()),
      RequestConverter.buildGetRequest(REGION, get("raw", "cooked")),
      RequestConverter.buildScanRequest(REGION, new Scan(), 1, false),
      RequestConverter.buildMutateRequest(REGION, new Delete(Bytes.toBytes("row"))),
      change.toBuilder().setCondition(Condition.getDefaultInstance()).buildPartial(),
      change.toBuilder()
          .setMutation(change.getMutation().toBuilder().setAssociatedCellCount(1))
          .build(),
      batch(get("raw")).toBuilder().addRegionAction(changes(put)).build(),
      batch(get("raw"), get()),
      batch(get("raw"), get("cooked")),
    };
    for (Message each : others) {
      assertEquals(1, resolver.resolve(Calls.call(each, null, null), RT0, null).level(), "" + each);
    }
  }

  @Test
  void aScanStaysWithinTheFamilyWithWhichItWasOpened() throws Exception {
    PriorityResolver resolver =
        resolver(
            rules(
                "<rule user='someone' highest='be:1'/>"
                    + "<rule user='someone' family='raw' highest='be:6'/>"));
    RpcCall opens =
        Calls.call(
            RequestConverter.buildScanRequest(REGION, new Scan(get("raw")), 1, false),
            null,
            "rt:0");
    PriorityResolver.Asked asked = resolver.asked(null, new CallRequester(opens, null));
    ScanPriority scan = new ScanPriority(resolver, asked, null, opens, null);
    RpcCall goesOn =
        Calls.call(
            RequestConverter.buildScanRequest(7L, 1, false, 1, false, false, -1), null, null);
    assertEquals(IoPriority.bestEffort(6), scan.peek(new CallContents(goesOn)));
    assertEquals(IoPriority.bestEffort(6), inCall(scan, goesOn), "without the hook of handlers");
    HandlerCall.Listener handler = new HandlerCall.Listener();
    handler.callStarted();
    try {
      assertEquals(IoPriority.bestEffort(6), inCall(scan, opens));
      assertEquals(IoPriority.bestEffort(6), inCall(scan, goesOn));
    } finally {
      handler.callEnded(null);
    }
  }

  private static IoPriority inCall(ScanPriority scan, RpcCall call) {
    RpcServer.setCurrentCall(call);
    try {
      return scan.inCall();
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  /** All RegionServers of a cluster may have that file. */
  @Test
  void anInvalidFileAtTheStartGrantsNobodyMoreThanNormal() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(HBaseKeys.POLICY.name(), write("<io-priority-policy mode='strict'/>"));
    PolicyFile access = ServerPolicy.atStart(conf);
    PriorityResolver resolver = new PriorityResolver(policy(access));
    assertEquals(
        IoPriority.NONE, resolver.resolve(call(null), RT0, PriorityResolverTest.table("t", null)));
    access.load(write(rules("<rule user='someone' highest='rt:0'/>")));
    assertEquals(
        IoPriority.realtime(0),
        resolver.resolve(call(null), RT0, PriorityResolverTest.table("t", null)));
  }

  @Test
  void rejectIsForWhoAsksNotForWhoReadsATable() throws IOException {
    PriorityResolver resolver =
        resolver(
            "<io-priority-policy mode='reject'>\n<rule user='*' highest='be:0'/>"
                + "</io-priority-policy>");
    TablePriority urgent = PriorityResolverTest.table("urgent", "rt:0");
    assertEquals(IoPriority.bestEffort(0), resolver.resolve(call(null), null, urgent));
    long before = PriorityMetrics.REJECTED.sum();
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> resolver.resolve(call(null), RT0, urgent));
    assertEquals(before + 1, PriorityMetrics.REJECTED.sum());
    assertTrue(
        e.getMessage()
            .contains("I/O priority rt:0 is not allowed (operation attribute io.priority"),
        e.getMessage());
    assertTrue(
        e.getMessage().endsWith("the policy's rule for user \"*\" (line 2) allows be:0"),
        e.getMessage());
    assertEquals(
        IoPriority.bestEffort(0), resolver.peek(RT0, new CallRequester(call(null), urgent)));
  }

  @Test
  void grantsAndRejectionsAreAudited() throws IOException {
    PriorityResolver resolver =
        resolver(
            "<io-priority-policy mode='reject'><rule user='someone' table='t' highest='rt:0'/>"
                + "</io-priority-policy>");
    Configuration conf = new Configuration(false);
    conf.set(HBaseKeys.AUDIT.name(), "rt:7");
    LogLines lines = new LogLines();
    Logger logger = Logger.getLogger(AuditLog.LOGGER);
    logger.addAppender(lines);
    logger.setLevel(Level.INFO);
    try {
      assertNull(ServerAudit.reload(conf));
      resolver.resolve(call("rt:0"), null, PriorityResolverTest.table("t", null));
      resolver.resolve(call("idle"), null, PriorityResolverTest.table("t", null));
      // HBase's own look-up, which its client has not asked for.
      RpcCall ofConnection = Calls.call(null, null, "rt:0");
      TablePriority meta = PriorityResolverTest.table("hbase:meta", null);
      assertEquals(IoPriority.bestEffort(0), resolver.resolve(ofConnection, null, meta));
      PriorityResolver.Asked asked = resolver.asked(null, new CallRequester(ofConnection, meta));
      CallRequester later = new CallRequester(ofConnection, meta);
      resolver.grantAgain(later, asked, IoPriority.bestEffort(0));
      assertThrows(
          DoNotRetryIOException.class,
          () -> resolver.resolve(call("rt:0"), null, PriorityResolverTest.table("u", null)));
      assertEquals(
          List.of(
              "count=1 outcome=granted asked=rt:0 granted=rt:0"
                  + " address=localhost/127.0.0.1 user=\"someone\" table=\"t\" because=rule for user \"someone\" and"
                  + " table \"t\" (line 1) allows rt:0",
              "count=1 outcome=rejected asked=rt:0 granted=none"
                  + " address=localhost/127.0.0.1 user=\"someone\" table=\"u\" because=no rule"),
          lines.written());
      conf.set(HBaseKeys.AUDIT.name(), "all");
      assertTrue(
          ServerAudit.reload(conf).getMessage().endsWith("the previous value stays in force"));
    } finally {
      logger.setLevel(null);
      logger.removeAppender(lines);
      assertNull(ServerAudit.reload(new Configuration(false)));
    }
  }

  @Test
  void whileItObservesARejectionIsOnlyCounted() throws IOException {
    PriorityResolver resolver =
        resolver(
            "<io-priority-policy mode='reject'><rule user='*' highest='be:0'/>"
                + "</io-priority-policy>");
    long before = PriorityMetrics.REJECTED.sum();
    OffSwitch.setObserving(true);
    try {
      assertNull(resolver.resolve(call(null), RT0, PriorityResolverTest.table("t", null)));
    } finally {
      OffSwitch.setObserving(false);
    }
    assertEquals(before + 1, PriorityMetrics.REJECTED.sum());
  }

  /** The name of a user is what the client sends, where there is no Kerberos. */
  @Test
  void theNameInARejectionIsPrintableAndShort() throws IOException {
    PriorityResolver resolver =
        resolver(
            "<io-priority-policy mode='reject'><rule user='*' highest='be:0'/>"
                + "</io-priority-policy>");
    String name = "u\nv" + "x".repeat(1 << 20);
    User user = User.createUserForTesting(new Configuration(false), name, new String[0]);
    RpcCall call = Calls.call(null, "rt:0", null, user);
    String message =
        assertThrows(DoNotRetryIOException.class, () -> resolver.resolve(call, null, null))
            .getMessage();
    assertTrue(message.contains("from u?vxxx"), message);
    assertTrue(message.length() < 500, message.length() + " characters");
  }

  /** A connection's priority also arrives with the look-ups that its library does by itself. */
  @Test
  void hbasesOwnTablesAreReadWhateverIsAskedFor() throws IOException {
    PriorityResolver resolver =
        resolver(
            "<io-priority-policy mode='reject'>\n<rule user='someone' table='hot' highest='rt:0'/>"
                + "\n<rule user='*' highest='be:2'/></io-priority-policy>");
    TablePriority meta = PriorityResolverTest.table("hbase:meta", null);
    IoPriority limit = IoPriority.bestEffort(2);
    RpcCall ofConnection = Calls.call(null, null, "rt:0");
    assertEquals(
        IoPriority.realtime(0),
        resolver.resolve(ofConnection, null, PriorityResolverTest.table("hot", null)));
    long clamped = PriorityMetrics.CLAMPED.sum();
    assertEquals(limit, resolver.resolve(ofConnection, null, meta));
    assertEquals(
        limit, resolver.resolve(call(null), null, PriorityResolverTest.table("hbase:acl", "rt:0")));
    assertEquals(clamped, PriorityMetrics.CLAMPED.sum(), "lowered silently");
    assertEquals(limit, resolver.resolve(call("rt:0"), null, meta));
    assertEquals(limit, resolver.resolve(call(null), RT0, meta));
    assertEquals(clamped + 2, PriorityMetrics.CLAMPED.sum(), "who asks for meta itself is told");
  }

  /** The lesser of that, or of normal, and the highest; but not in HBase's own tables. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // highest, preset, asked, table -> granted
        "idle, -,    -,     t,          idle",
        "idle, -,    none,  t,          idle",
        "idle, -,    turbo, t,          idle",
        "idle, -,    -,     -,          idle",
        "idle, -,    -,     hbase:meta, -",
        "be:6, be:2, -,     t,          be:6",
        "be:6, be:7, -,     t,          be:7",
        "be:4, -,    -,     t,          -",
        "rt:0, be:2, -,     t,          be:2",
      })
  void aHighestBelowNormalBindsWhoStatesNothing(
      String highest, String preset, String asked, String table, String granted)
      throws IOException {
    Configuration conf = new Configuration(false);
    if (preset != null) {
      conf.set(HBaseKeys.DEFAULT.name(), preset);
    }
    PolicyFile access =
        load(
            "<io-priority-policy mode='reject'><rule user='someone' highest='"
                + highest
                + "'/><rule user='*' highest='rt:0'/></io-priority-policy>");
    PriorityResolver resolver = new PriorityResolver(PriorityPolicy.from(conf, access));
    IoPriority expected = granted == null ? null : IoPriority.parse(granted);
    TablePriority of = table == null ? null : PriorityResolverTest.table(table, null);
    byte[] attribute = asked == null ? null : Bytes.toBytes(asked);
    long ruled = PriorityMetrics.RULED.sum();
    assertEquals(expected, resolver.resolve(call(null), attribute, of));
    boolean lowered = expected != null && !granted.equals(preset);
    assertEquals(lowered ? 1 : 0, PriorityMetrics.RULED.sum() - ruled);
    assertEquals(expected, resolver.peek(attribute, new CallRequester(call(null), of)));
  }

  @Test
  void aScanThatStatesNothingFollowsThePolicy() throws IOException {
    PolicyFile access = policyFile("<rule user='someone' highest='idle'/>");
    CallPriorityProvider provider = new CallPriorityProvider(policy(access));
    TablePriority table = PriorityResolverTest.table("t", null);
    try {
      RpcServer.setCurrentCall(call(null));
      ScanPriority scan = provider.noteScan(null, table);
      assertEquals(IoPriority.IDLE, scan.inCall());
      access.load(write(rules("<rule user='someone' highest='be:6'/>")));
      RpcServer.setCurrentCall(call(null));
      assertEquals(IoPriority.bestEffort(6), scan.inCall(), "the next call");
      access.load(write(rules("<rule user='someone' highest='be:0'/>")));
      RpcServer.setCurrentCall(call(null));
      assertNull(scan.inCall());
      assertNull(provider.noteScan(null, table).inCall());
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  @Test
  void eachGetOfABatchCounts() throws IOException {
    CallPriorityProvider provider = provider(ONE_A_SECOND);
    RpcServer.setCurrentCall(Calls.call(null, null, "rt:0"));
    try {
      assertEquals(IoPriority.realtime(0), note(provider, new Object()));
      assertEquals(IoPriority.bestEffort(0), note(provider, new Object()));
      assertEquals(IoPriority.bestEffort(0), provider.current());
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  /** Its coprocessor, HBase's AccessController for one, may run after ours. */
  @Test
  void whatIsDeniedBeforeItReadsTakesNothingOfACap() throws IOException {
    CallPriorityProvider provider = provider(ONE_A_SECOND);
    HandlerCall.Listener handler = new HandlerCall.Listener();
    IoPriority above = IoPriority.bestEffort(0);
    try {
      for (int i = 0; i < 3; i++) {
        begin(handler, null);
        assertEquals(IoPriority.realtime(0), note(provider, new Object()), "denied Gets");
        handler.callEnded(null);
      }
      begin(handler, null);
      assertEquals(IoPriority.realtime(0), provider.noteScan(RT0, null).inCall());
      handler.callEnded(null);
      begin(handler, null);
      assertEquals(above, note(provider, new Object()), "a scan that was opened counts");
      handler.callEnded(null);
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  @Test
  void aDeniedOperationOfABatchTakesNothingOfACap() throws IOException {
    CallPriorityProvider provider = provider(ONE_A_SECOND);
    HandlerCall.Listener handler = new HandlerCall.Listener();
    IoPriority above = IoPriority.bestEffort(0);
    try {
      begin(handler, MultiRequest.getDefaultInstance());
      // HBase asks about all mutations of a region before it does any.
      List<Increment> mutations = List.of(new Increment(RT0), new Increment(RT0));
      assertEquals(
          IoPriority.realtime(0), provider.noteMutation(mutations.get(0), null, null, true));
      assertEquals(above, provider.noteMutation(mutations.get(1), null, null, true));
      assertEquals(IoPriority.realtime(0), note(provider, new Object()), "they were denied");
      assertEquals(IoPriority.realtime(0), note(provider, new Object()), "as was that Get");
      assertEquals(IoPriority.realtime(0), provider.current(), "this one reads");
      assertEquals(above, note(provider, new Object()));
      handler.callEnded(null);
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  /** No mutation follows, and HDFS is asked nothing if the row is in the block cache. */
  @Test
  void aCheckThatIsFalseIsServedAndCounts() throws IOException {
    CallPriorityProvider provider = provider(ONE_A_SECOND);
    IoPriorityObserver observer = new IoPriorityObserver();
    HandlerCall.Listener handler = new HandlerCall.Listener();
    try {
      for (Message call : new Message[] {null, MultiRequest.getDefaultInstance()}) {
        RpcServer.setCurrentCall(Calls.call(call, null, "rt:0"));
        handler.callStarted();
        IoPriority granted = call == null ? IoPriority.realtime(0) : IoPriority.bestEffort(0);
        CheckAndMutate check =
            CheckAndMutate.newBuilder(RT0).ifNotExists(RT0, RT0).build(new Increment(RT0));
        Increment action = (Increment) check.getAction();
        assertEquals(granted, provider.noteMutation(action, RT0, null, true));
        observer.postCheckAndMutate(null, check, null);
        handler.callEnded(null);
      }
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  private static void begin(HandlerCall.Listener handler, Message parameter) {
    RpcServer.setCurrentCall(Calls.call(parameter, null, "rt:0"));
    handler.callStarted();
  }

  /** HBase runs a first hook for all mutations of a row, then others for one after the other. */
  @Test
  void eachMutationOfARowCountsOnceAndKeepsWhatItWasGranted() throws IOException {
    CallPriorityProvider provider = provider(ONE_A_SECOND);
    RpcServer.setCurrentCall(Calls.call(MultiRequest.getDefaultInstance(), null, "rt:0"));
    List<Increment> row = List.of(new Increment(RT0), new Increment(RT0), new Increment(RT0));
    long asked = PriorityMetrics.ASKED.sum();
    long capped = PriorityMetrics.CAPPED.sum();
    try {
      for (int hook = 0; hook < 3; hook++) {
        for (int i = 0; i < row.size(); i++) {
          IoPriority granted = i == 0 ? IoPriority.realtime(0) : IoPriority.bestEffort(0);
          assertEquals(granted, provider.noteMutation(row.get(i), null, null, true));
          assertEquals(granted, provider.current());
        }
      }
      assertEquals(asked + 3, PriorityMetrics.ASKED.sum());
      assertEquals(capped + 2, PriorityMetrics.CAPPED.sum());
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  @Test
  void eachCallOfAScanCounts() throws IOException {
    CallPriorityProvider provider = provider(ONE_A_SECOND);
    try {
      RpcServer.setCurrentCall(Calls.call(null, "rt:0", null));
      ScanPriority scan = provider.noteScan(null, null);
      assertEquals(IoPriority.realtime(0), scan.inCall());
      assertEquals(IoPriority.realtime(0), scan.inCall(), "the same call");
      RpcServer.setCurrentCall(Calls.call(null, null, null));
      assertEquals(IoPriority.bestEffort(0), scan.inCall(), "above the cap");
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  @Test
  void aChangedPolicyAppliesToAnOpenScanFromItsNextCallOn() throws IOException {
    PolicyFile access = policyFile("<rule user='someone' highest='rt:0'/>");
    CallPriorityProvider provider = new CallPriorityProvider(policy(access));
    try {
      RpcServer.setCurrentCall(call(null));
      ScanPriority scan = provider.noteScan(RT0, null);
      assertEquals(IoPriority.realtime(0), scan.inCall());
      access.load(write(rules("<rule user='someone' highest='be:3'/>")));
      assertEquals(IoPriority.realtime(0), scan.inCall(), "the call that was admitted");
      RpcCall next = call(null);
      assertEquals(IoPriority.bestEffort(3), scan.peek(new CallContents(next)));
      RpcServer.setCurrentCall(next);
      long clamped = PriorityMetrics.CLAMPED.sum();
      assertEquals(IoPriority.bestEffort(3), scan.inCall());
      RpcServer.setCurrentCall(call(null));
      assertEquals(IoPriority.bestEffort(3), scan.inCall());
      assertEquals(clamped + 1, PriorityMetrics.CLAMPED.sum(), "told once");
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  private static IoPriority note(CallPriorityProvider provider, Object get) throws IOException {
    return provider.noteOperation(get, null, null);
  }

  @Test
  void aHundredThousandForgedAttributesGiveNoRealtime() throws IOException {
    PriorityResolver resolver =
        resolver("<io-priority-policy><rule user='alice' highest='rt:0'/></io-priority-policy>");
    Random random = new Random(536_000_001);
    for (int i = 0; i < 100_000; i++) {
      byte[] attribute = attribute(random);
      IoPriority granted =
          resolver.resolve(
              call(random.nextBoolean() ? Bytes.toString(attribute(random)) : null),
              attribute,
              null);
      if (granted != null) {
        assertNotEquals(IoClass.REALTIME, granted.ioClass());
      }
    }
  }

  private static byte[] attribute(Random random) {
    byte[] text = IoPriority.all().get(random.nextInt(IoPriority.all().size())).toBytes();
    if (random.nextBoolean()) {
      text[random.nextInt(text.length)] = (byte) random.nextInt();
    }
    return random.nextInt(3) == 0 ? RT0 : text;
  }
}
