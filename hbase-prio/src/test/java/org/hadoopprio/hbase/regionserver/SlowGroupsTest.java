// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.KnownGroups;
import org.hadoopprio.policy.PolicyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A RegionServer's policy that names groups, and a group mapping that is slow to tell them. */
class SlowGroupsTest {

  @TempDir private Path directory;

  private final TablePriority table = PriorityResolverTest.table("t", null);
  private final CountDownLatch answer = new CountDownLatch(1);

  @AfterEach
  void end() {
    answer.countDown();
  }

  private String hang() {
    Uninterruptibles.awaitUninterruptibly(answer);
    return "people";
  }

  private String fail() {
    throw new IllegalStateException("of the test");
  }

  /**
   * A policy.
   *
   * @param mode what happens to who asks for too much
   * @param preset for operations for which no source states a priority; empty for none
   */
  private PriorityPolicy policy(String mode, String preset, String rules) throws IOException {
    Path file = directory.resolve("policy.xml");
    Files.writeString(
        file, "<io-priority-policy mode='" + mode + "'>" + rules + "</io-priority-policy>");
    PolicyFile access = new PolicyFile(HBaseKeys.POLICY);
    access.load(file.toString());
    Configuration conf = new Configuration(false);
    if (!preset.isEmpty()) {
      conf.set(HBaseKeys.DEFAULT.name(), preset);
    }
    return PriorityPolicy.from(conf, access);
  }

  private PriorityResolver resolver(String mode, String rules) throws IOException {
    return new PriorityResolver(policy(mode, "", rules));
  }

  @Test
  void whileItObservesNobodyWaitsForTheGroupMapping() throws Exception {
    PriorityResolver resolver =
        resolver("log", "<rule group='people' highest='be:6'/><rule user='*' highest='idle'/>");
    Set<Thread> asking = ConcurrentHashMap.newKeySet();
    Supplier<String> mapping =
        () -> {
          asking.add(Thread.currentThread());
          return hang();
        };
    RpcCall stating = Calls.call(null, "rt:0", null, new MappedUser("observed", mapping));
    RpcCall silent = Calls.call(null, null, null, new MappedUser("observed too", mapping));
    long before = decisions();
    long unknown = PriorityMetrics.GROUPS_UNKNOWN.sum();
    OffSwitch.setObserving(true);
    try {
      assertNull(resolver.resolve(stating, null, table));
      assertNull(resolver.resolve(silent, null, table));
      PriorityResolver.Asked asked = resolver.asked(null, new CallRequester(stating, table));
      RpcCall next = Calls.call(null, null, null, new MappedUser("observed later", mapping));
      CallRequester later = new CallRequester(next, table);
      assertNull(resolver.grantAgain(later, asked, IoPriority.bestEffort(6)), "a scan's");
      assertEquals(before, decisions());
      assertEquals(unknown, PriorityMetrics.GROUPS_UNKNOWN.sum(), "may be known in a moment");
      answer.countDown();
      IoPriority limit = IoPriority.bestEffort(6);
      assertEquals(limit, awaitDecision(() -> resolver.resolve(stating, null, table)));
      assertEquals(limit, awaitDecision(() -> resolver.resolve(silent, null, table)));
      assertEquals(before + 3, decisions());
      for (String stated : Arrays.asList("rt:0", null)) {
        RpcCall call = Calls.call(null, stated, null, new MappedUser("lost " + stated, this::fail));
        long counted = PriorityMetrics.GROUPS_UNKNOWN.sum();
        awaitDecision(
            () -> {
              assertNull(resolver.resolve(call, null, table));
              return PriorityMetrics.GROUPS_UNKNOWN.sum() > counted ? IoPriority.NONE : null;
            });
        assertEquals(counted + 1, PriorityMetrics.GROUPS_UNKNOWN.sum());
      }
      assertEquals(before + 3, decisions());
      assertFalse(asking.contains(Thread.currentThread()));
    } finally {
      OffSwitch.setObserving(false);
    }
  }

  @Test
  void aMappingThatHangsKeepsNoHandlerWaiting() throws Exception {
    PriorityResolver resolver =
        resolver("reject", "<rule group='people' highest='be:6'/><rule user='*' highest='rt:0'/>");
    RpcCall stating = Calls.call(null, "rt:0", null, new MappedUser("hanging", this::hang));
    RpcCall silent = Calls.call(null, null, null, new MappedUser("hanging too", this::hang));
    RpcCall slow = Calls.call(null, "idle", null, new MappedUser("hanging as well", this::hang));
    IoPriority limit = IoPriority.bestEffort(6);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          long unknown = PriorityMetrics.GROUPS_UNKNOWN.sum();
          long before = decisions() + PriorityMetrics.REJECTED.sum();
          assertEquals(IoPriority.NONE, resolver.resolve(stating, null, table));
          assertNull(resolver.resolve(silent, null, table));
          assertEquals(IoPriority.IDLE, resolver.resolve(slow, null, table));
          assertEquals(unknown + 3, PriorityMetrics.GROUPS_UNKNOWN.sum());
          long now = decisions() + PriorityMetrics.REJECTED.sum();
          assertEquals(before + 2, now, "asked, and not rejected");
          PriorityResolver.Asked asked = resolver.asked(null, new CallRequester(stating, table));
          RpcCall next = Calls.call(null, null, null, new MappedUser("hanging later", this::hang));
          CallRequester later = new CallRequester(next, table);
          assertEquals(IoPriority.NONE, resolver.grantAgain(later, asked, limit), "a scan's");
        });
    answer.countDown();
    assertEquals(limit, awaitDecision(() -> resolver.resolve(silent, null, table)));
    awaitDecision(
        () -> KnownGroups.OF_PROCESS.await("hanging", List::of).isEmpty() ? null : IoPriority.NONE);
    assertThrows(DoNotRetryIOException.class, () -> resolver.resolve(stating, null, table));
  }

  /** What an operator presets must not be for those whom their group denies it. */
  @Test
  void whoseGroupsAreNotKnownHasNoMoreThanNormalOfAPreset() throws Exception {
    PriorityResolver resolver =
        new PriorityResolver(policy("log", "be:0", "<rule group='others' highest='be:6'/>"));
    RpcCall call = Calls.call(null, null, null, new MappedUser("preset", this::hang));
    assertEquals(IoPriority.NONE, resolver.resolve(call, null, table));
    answer.countDown();
    IoPriority preset = IoPriority.bestEffort(0);
    assertEquals(
        preset,
        awaitDecision(
            () -> {
              IoPriority now = resolver.resolve(call, null, table);
              return preset.equals(now) ? now : null;
            }));
  }

  private static long decisions() {
    return PriorityMetrics.ASKED.sum()
        + PriorityMetrics.CLAMPED.sum()
        + PriorityMetrics.RULED.sum();
  }

  private static IoPriority awaitDecision(Callable<IoPriority> resolving) {
    return soon("a decision").pollInSameThread().until(resolving, Objects::nonNull);
  }

  /** Or it would have no limit until its end. */
  @Test
  void aScanThatStatesNothingIsLimitedAsSoonAsTheGroupsAreKnown() throws Exception {
    CallPriorityProvider provider =
        new CallPriorityProvider(policy("log", "", "<rule group='people' highest='idle'/>"));
    RpcCall first = Calls.call(null, null, null, new MappedUser("scanning", this::hang));
    try {
      RpcServer.setCurrentCall(first);
      ScanPriority scan = provider.noteScan(null, table);
      assertNull(scan.inCall(), "stock");
      answer.countDown();
      assertEquals(
          IoPriority.IDLE,
          awaitDecision(
              () -> {
                RpcServer.setCurrentCall(
                    Calls.call(null, null, null, new MappedUser("scanning", this::hang)));
                return scan.inCall();
              }));
    } finally {
      RpcServer.setCurrentCall(null);
    }
    try {
      RpcServer.setCurrentCall(
          Calls.call(null, null, null, new MappedUser("scanning", this::hang)));
      assertNotNull(provider.noteScan(null, table));
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  /** A call counts once, however many operations it has. */
  @Test
  void aCallCountsOnce() throws Exception {
    HandlerCall.Listener handler = new HandlerCall.Listener();
    PriorityResolver resolver = resolver("log", "<rule group='people' highest='be:6'/>");
    RpcCall call = Calls.call(null, "be:0", null, new MappedUser("batch", this::hang));
    long unknown = PriorityMetrics.GROUPS_UNKNOWN.sum();
    for (int i = 1; i <= 2; i++) {
      handler.callStarted();
      try {
        resolver.resolve(call, null, table);
        resolver.resolve(call, null, table);
      } finally {
        handler.callEnded(null);
      }
      assertEquals(unknown + i, PriorityMetrics.GROUPS_UNKNOWN.sum());
    }
  }
}
