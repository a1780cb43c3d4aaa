// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.PolicyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An open scan while its operator changes the policy or the mode: it goes on in any case. */
class PriorityRegionScannerTest {

  private static final byte[] RT0 = Bytes.toBytes("rt:0");

  @TempDir private Path directory;

  private final PolicyFile access = new PolicyFile(HBaseKeys.POLICY);
  private final TablePriority table = PriorityResolverTest.table("t", null);

  /** The priority of the scope at each step of the region's own scanner. */
  private final List<IoPriority> steps = new ArrayList<>();

  private final RegionScanner region =
      (RegionScanner)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {RegionScanner.class, Shipper.class},
              (proxy, method, args) -> {
                steps.add(PriorityScope.current());
                return method.getReturnType() == boolean.class ? true : null;
              });

  @AfterEach
  void leaveNothingBehind() {
    RpcServer.setCurrentCall(null);
    OffSwitch.setObserving(false);
  }

  private CallPriorityProvider provider(String policy) throws IOException {
    load(policy);
    return new CallPriorityProvider(PriorityPolicy.from(new Configuration(false), access));
  }

  private void load(String policy) throws IOException {
    Path file = Files.writeString(directory.resolve("policy.xml"), policy);
    access.load(file.toAbsolutePath().toString());
  }

  private static void nextCall() {
    RpcServer.setCurrentCall(Calls.call(null, null, null));
  }

  /** A call's rows are shipped when it is not the thread's current one any more. */
  private static void readRows(PriorityRegionScanner scanner) throws IOException {
    assertTrue(scanner.nextRaw(new ArrayList<>()));
    RpcServer.setCurrentCall(null);
    scanner.shipped();
  }

  @Test
  void aScanThatStatesNothingGoesOnWhenThePolicyLowersItNoMore() throws IOException {
    CallPriorityProvider provider =
        provider("<io-priority-policy><rule user='someone' highest='idle'/></io-priority-policy>");
    nextCall();
    PriorityRegionScanner scanner =
        new PriorityRegionScanner(region, provider.noteScan(null, table));
    readRows(scanner);
    load("<io-priority-policy/>");
    nextCall();
    readRows(scanner);
    assertEquals(Arrays.asList(IoPriority.IDLE, IoPriority.IDLE, null, null), steps);
  }

  @Test
  void aScanThatWouldBeRejectedHasNoPriorityWhenItGoesOnAfterObserving() throws IOException {
    CallPriorityProvider provider =
        provider(
            "<io-priority-policy mode='reject'><rule user='*' highest='be:0'/>"
                + "</io-priority-policy>");
    OffSwitch.setObserving(true);
    nextCall();
    assertNull(provider.noteScan(RT0, table), "the observer leaves its scanner as it is");
    OffSwitch.setObserving(false);
    assertNull(provider.current());
  }

  /** HBase's AccessController may know the scanner within, and not who has opened this one. */
  @Test
  void onlyWhoHasOpenedAScannerMayUseIt() throws IOException {
    CallPriorityProvider provider = provider("<io-priority-policy/>");
    nextCall();
    PriorityRegionScanner scanner =
        new PriorityRegionScanner(region, provider.noteScan(null, table));
    nextCall();
    assertDoesNotThrow(scanner::requireOwner);
    User other =
        User.createUserForTesting(new Configuration(false), "another", new String[] {"people"});
    RpcServer.setCurrentCall(Calls.call(null, null, null, other));
    assertThrows(AccessDeniedException.class, scanner::requireOwner);
    RpcServer.setCurrentCall(null);
    assertDoesNotThrow(scanner::requireOwner, "the RegionServer itself");
  }

  /** As HBase, whose key is false by default. */
  @Test
  void whereNobodyIsAuthorizedNobodyIsRefused() throws IOException {
    Configuration conf = new Configuration(false);
    ObserverContext<RegionCoprocessorEnvironment> context = context(conf);
    nextCall();
    PriorityRegionScanner scanner =
        new PriorityRegionScanner(region, provider("<io-priority-policy/>").noteScan(null, table));
    User other = User.createUserForTesting(conf, "another", new String[] {"people"});
    RpcServer.setCurrentCall(Calls.call(null, null, null, other));
    IoPriorityObserver observer = new IoPriorityObserver();
    assertDoesNotThrow(() -> observer.preScannerNext(context, scanner, null, 1, true));
    conf.setBoolean("hbase.security.authorization", true);
    assertThrows(
        AccessDeniedException.class,
        () -> observer.preScannerNext(context, scanner, null, 1, true));
  }

  @SuppressWarnings("unchecked")
  private static ObserverContext<RegionCoprocessorEnvironment> context(Configuration conf) {
    RegionCoprocessorEnvironment environment =
        (RegionCoprocessorEnvironment)
            proxy(RegionCoprocessorEnvironment.class, "getConfiguration", conf);
    return (ObserverContext<RegionCoprocessorEnvironment>)
        proxy(ObserverContext.class, "getEnvironment", environment);
  }

  private static Object proxy(Class<?> type, String getter, Object value) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, args) -> method.getName().equals(getter) ? value : null);
  }

  @Test
  void aMistakeOfOursCostsThePriorityAndNotTheScan() throws IOException {
    PriorityScanner<RegionScanner> scanner =
        new PriorityScanner<>(
            region,
            () -> {
              throw new IllegalStateException("a test");
            });
    long failed = PriorityMetrics.FAILED.sum();
    assertTrue(scanner.next(new ArrayList<>()));
    scanner.shipped();
    assertEquals(Arrays.asList(null, null), steps);
    assertEquals(failed + 2, PriorityMetrics.FAILED.sum());
  }
}
