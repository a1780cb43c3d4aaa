// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import static org.hadoopprio.policy.Policies.policy;
import static org.hadoopprio.policy.Policies.user;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rule applies, and what the caps admit. */
class AccessPolicyTest {

  private static final IoPriority RT0 = IoPriority.realtime(0);
  private static final IoPriority BE0 = IoPriority.bestEffort(0);

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // user, group, table -> what is granted to a request for rt:0
        "svc-web, g1, -,     rt:1",
        "svc-web, g1, ns:t,  rt:2",
        "svc-web, g1, ns:u,  rt:3",
        "svc-web, g1, other, rt:1",
        "svc-mail, g1, -,    rt:4",
        "svcless, g1, -,     rt:5",
        "svcless, g1, ns:t,  rt:6",
        "svcless, gx, -,     rt:7",
        "-, -, -,            rt:7",
      })
  void theMostSpecificRuleDecides(String user, String group, String table, String allowed)
      throws IOException {
    AccessPolicy policy =
        policy(
            directory,
            "<io-priority-policy>",
            "<rule user='*' highest='rt:7'/>",
            "<rule group='g1' highest='rt:5'/>",
            "<rule group='g2' highest='be:7'/>",
            "<rule group='g1' table='ns:t' highest='rt:6'/>",
            "<rule user='svc-*' highest='rt:4'/>",
            "<rule user='svc-web' highest='rt:1'/>",
            "<rule user='svc-web' table='ns:*' highest='rt:3'/>",
            "<rule user='svc-web' table='ns:t' highest='rt:2'/>",
            "</io-priority-policy>");
    String[] groups =
        group == null
            ? new String[0]
            : group.equals("g1") ? new String[] {group, "g2"} : new String[] {group};
    assertEquals(
        IoPriority.parse(allowed), policy.decide(RT0, BE0, user(user, table, groups)).allowed());
  }

  /** What is asked, what everybody may have, and what is granted to one who may be in a group. */
  @ParameterizedTest
  @CsvSource({
    "rt:0,       rt:0,       none",
    "rt:0@100ms, rt:0@100ms, none",
    "be:0,       rt:0,       none",
    "none,       rt:0,       none",
    "be:6@100ms, rt:0,       be:6",
    "idle,       rt:0,       idle",
    "rt:0,       be:6,       be:6",
    "none,       idle,       idle",
  })
  void whoseGroupsAreNotKnownHasNoMoreThanNormal(String asked, String everybody, String granted)
      throws IOException {
    AccessPolicy policy =
        policy(
            directory,
            "<io-priority-policy mode='reject'><cap class='be' concurrent='1'/>",
            "<rule group='g1' highest='rt:5'/>",
            "<rule group='g2' highest='idle'/>",
            "<rule user='*' highest='" + everybody + "'><cap class='be' rate='1'/></rule>",
            "</io-priority-policy>");
    for (int i = 0; i < 3; i++) {
      Decision decision =
          policy.decide(IoPriority.parse(asked), BE0, Policies.userWithoutGroups("joe", null));
      assertTrue(decision.isWithoutGroups());
      assertFalse(decision.isTooMuch(), "not known, so not to be rejected");
      assertEquals(List.of(), decision.caps());
      Admission admission = decision.admit();
      assertEquals(IoPriority.parse(granted), admission.priority(), "without a place in a cap");
    }
  }

  @Test
  void aRuleBeforeThoseOfGroupsDecidesWithoutGroups() throws IOException {
    AccessPolicy policy =
        policy(
            directory,
            "<io-priority-policy><rule group='g1' highest='idle'/>",
            "<rule user='joe' highest='rt:3'/></io-priority-policy>");
    Decision decision = policy.decide(RT0, BE0, Policies.userWithoutGroups("joe", null));
    assertEquals(IoPriority.realtime(3), decision.allowed());
    assertTrue(decision.isTooMuch());
    assertFalse(decision.isWithoutGroups());
  }

  /** HBase names the tables of the default namespace without it. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // table -> what is granted to a request for rt:0
        "t,       rt:1",
        "temp,    rt:2",
        "temp:t,  rt:5",
        "other,   rt:3",
        "ns:t,    rt:5",
        "-,       rt:5",
      })
  void theDefaultNamespaceMayBeNamed(String table, String allowed) throws IOException {
    AccessPolicy policy =
        policy(
            directory,
            "<io-priority-policy>",
            "<rule user='a' highest='rt:5'/>",
            "<rule user='a' table='default:*' highest='rt:3'/>",
            "<rule user='a' table='default:te*' highest='rt:2'/>",
            "<rule user='a' table='default:t' highest='rt:1'/>",
            "</io-priority-policy>");
    assertEquals(IoPriority.parse(allowed), policy.decide(RT0, BE0, user("a", table)).allowed());
  }

  @Test
  void whomNoRuleIsForTheKeyDecides() throws IOException {
    AccessPolicy policy =
        policy(
            directory,
            "<io-priority-policy>",
            "<rule user='a' highest='rt:0'/>",
            "</io-priority-policy>");
    Decision other = policy.decide(RT0, BE0, user("b", null));
    assertEquals(BE0, other.allowed());
    assertTrue(other.isTooMuch());
    assertEquals("some.key is be:0", other.limit("some.key"));
    assertEquals(BE0, policy.decide(RT0, BE0, user(null, null)).allowed(), "no proven user");
    Decision mine = policy.decide(RT0, BE0, user("a", null));
    assertFalse(mine.isTooMuch());
    assertEquals("the policy's rule for user \"a\" (line 2) allows rt:0", mine.limit("some.key"));
    Decision unusable = AccessPolicy.UNUSABLE.decide(RT0, RT0, user("a", null));
    assertEquals(IoPriority.NONE, unusable.allowed());
    assertEquals("the policy file cannot be used", unusable.limit("some.key"));
    assertEquals(RT0, AccessPolicy.NONE.decide(RT0, RT0, user("a", null)).allowed());
  }

  @Test
  void capsCountTheRuleAndEverybody() throws IOException {
    AccessPolicy policy =
        policy(
            directory,
            "<io-priority-policy>",
            "<cap class='rt' concurrent='2'/>",
            "<rule user='a' highest='rt:0'><cap class='rt' concurrent='1'/></rule>",
            "<rule user='*' highest='rt:0'/>",
            "</io-priority-policy>");
    Admission first = policy.decide(RT0, BE0, user("a", null)).admit();
    assertEquals(RT0, first.priority());
    Admission second = policy.decide(RT0, BE0, user("a", null)).admit();
    assertTrue(second.isCapped());
    assertEquals(BE0, second.priority(), "above its own cap");
    Admission other = policy.decide(RT0, BE0, user("b", null)).admit();
    assertEquals(RT0, other.priority());
    assertTrue(policy.decide(RT0, BE0, user("b", null)).admit().isCapped(), "above everybody's");
    second.release();
    first.release();
    assertEquals(RT0, policy.decide(RT0, BE0, user("a", null)).admit().priority(), "it is free");
    assertFalse(policy.decide(IoPriority.IDLE, BE0, user("b", null)).admit().isCapped());
  }

  /** Or else who asks for more than he may have would get more than who asks for less. */
  @Test
  void whatACapLowersTakesAPlaceInTheCapOfTheLowerClass() throws IOException {
    AccessPolicy policy =
        policy(
            directory,
            "<io-priority-policy>",
            "<cap class='be' concurrent='2'/>",
            "<rule user='a' highest='rt:0'>",
            "<cap class='rt' concurrent='1'/><cap class='be' concurrent='1'/></rule>",
            "<rule user='*' highest='rt:0'/>",
            "</io-priority-policy>");
    Admission first = policy.decide(RT0, BE0, user("a", null)).admit();
    Admission second = policy.decide(RT0, BE0, user("a", null)).admit();
    Admission third = policy.decide(RT0, BE0, user("a", null)).admit();
    assertEquals(RT0, first.priority());
    assertEquals(BE0, second.priority(), "above the cap of real-time");
    assertEquals(IoPriority.bestEffort(7), third.priority(), "above both");
    Admission other = policy.decide(BE0, BE0, user("b", null)).admit();
    assertFalse(other.isCapped());
    assertTrue(policy.decide(BE0, BE0, user("b", null)).admit().isCapped(), "above everybody's");
    third.release();
    second.release();
    assertFalse(policy.decide(BE0, BE0, user("a", null)).admit().isCapped(), "it is free");
    first.release();
    assertEquals(RT0, policy.decide(RT0, BE0, user("a", null)).admit().priority());
  }

  @Test
  void whoGoesOnNeedsAPlaceButDoesNotCountInTheRateAgain() throws IOException {
    AccessPolicy policy =
        policy(
            directory,
            "<io-priority-policy><rule user='a' highest='rt:0'>",
            "<cap class='rt' concurrent='1' rate='2'/></rule></io-priority-policy>");
    Admission first = policy.decide(RT0, BE0, user("a", null)).admit();
    first.release();
    for (int i = 0; i < 10; i++) {
      Admission again = first.again();
      assertEquals(RT0, again.priority());
      again.release();
    }
    Admission second = policy.decide(RT0, BE0, user("a", null)).admit();
    assertEquals(RT0, second.priority(), "the second of this second");
    assertEquals(BE0, first.again().priority(), "the other has the place");
    Admission third = policy.decide(RT0, BE0, user("a", null)).admit();
    second.release();
    assertEquals(BE0, third.again().priority(), "not more than at first");
  }

  @Test
  void theRateIsKeptOverTimeWithASecondsBurst() {
    AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    ClassCap cap = new ClassCap(IoClass.REALTIME, 0, 10, now::get);
    int let = 0;
    for (int i = 0; i < 100; i++) {
      let += cap.tryAcquire(new ArrayList<>()) ? 1 : 0;
    }
    assertEquals(10, let);
    for (int i = 0; i < 1_000; i++) {
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
      let += cap.tryAcquire(new ArrayList<>()) ? 1 : 0;
    }
    assertEquals(110, let, "10 a second for 10 seconds more");
  }

  @Test
  void aRefusedTokenGivesItsPlaceBack() {
    AtomicLong now = new AtomicLong();
    ClassCap cap = new ClassCap(IoClass.REALTIME, 1, 1, now::get);
    assertTrue(cap.tryAcquire(new ArrayList<>()));
    cap.release();
    assertFalse(cap.tryAcquire(new ArrayList<>()), "one a second");
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertTrue(cap.tryAcquire(new ArrayList<>()));
    assertEquals(BE0, ClassCap.above(IoClass.REALTIME));
    assertEquals(IoPriority.bestEffort(7), ClassCap.above(IoClass.BEST_EFFORT));
  }

  @Test
  void atACapForIdleCallsWaitAndOweWhatIsServedAboveIt() {
    AtomicLong now = new AtomicLong();
    ClassCap cap = new ClassCap(IoClass.IDLE, 2, 10, now::get);
    assertTrue(cap.tryReserve(1_000), "a call of more operations than the rate");
    assertTrue(cap.tryReserve(1));
    assertFalse(cap.tryReserve(1), "two at a time");
    cap.releaseReserved();
    int within = 0;
    for (int i = 0; i < 12; i++) {
      if (cap.tryAcquire(new ArrayList<>())) {
        within++;
        cap.release();
      }
    }
    assertEquals(10, within);
    assertFalse(cap.tryReserve(1), "two more than a second's are owed");
    assertEquals(TimeUnit.MILLISECONDS.toNanos(300), cap.nanosUntilToken());
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(299));
    assertFalse(cap.tryReserve(1));
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertTrue(cap.tryReserve(1));
    for (int i = 0; i < 10_000; i++) {
      cap.tryAcquire(new ArrayList<>());
    }
    cap.releaseReserved();
    long most = TimeUnit.SECONDS.toNanos(30);
    assertTrue(cap.nanosUntilToken() <= most, cap.nanosUntilToken() + " ns");
    now.addAndGet(most);
    assertTrue(cap.tryReserve(1));
  }

  /** HBase denies each, and goes on with the next. */
  @Test
  void whatIsDeniedAboveARateOwesNothing() {
    AtomicLong now = new AtomicLong();
    ClassCap all = new ClassCap(IoClass.IDLE, 0, 10, now::get);
    for (int i = 0; i < 310; i++) {
      Admission admitted = Admission.of(IoPriority.IDLE, List.of(), List.of(all));
      admitted.release();
      if (admitted.isCountedByRate()) {
        admitted.giveTokensBack();
      }
    }
    assertEquals(0, all.nanosUntilToken());
    assertFalse(Admission.of(IoPriority.IDLE, List.of(), List.of(all)).isCapped());
  }

  @Test
  void whatIsServedAboveARateIsOwed() {
    AtomicLong now = new AtomicLong();
    ClassCap all = new ClassCap(IoClass.IDLE, 0, 10, now::get);
    for (int i = 0; i < 20; i++) {
      assertEquals(i >= 10, Admission.of(IoPriority.IDLE, List.of(), List.of(all)).isCapped());
    }
    assertEquals(TimeUnit.MILLISECONDS.toNanos(1_100), all.nanosUntilToken());
  }

  /** One cap lets the request in, and the other does not. */
  @Test
  void theRateOfAClassDoesNotCountWhatIsServedBelowIt() {
    AtomicLong now = new AtomicLong();
    ClassCap rule = new ClassCap(IoClass.REALTIME, 0, 1, now::get);
    ClassCap all = new ClassCap(IoClass.REALTIME, 1, 0, now::get);
    assertTrue(all.tryAcquire(new ArrayList<>()));
    Admission lowered = Admission.of(RT0, List.of(rule), List.of(all));
    assertEquals(BE0, lowered.priority());
    assertFalse(lowered.isCountedByRate());
    all.release();
    assertEquals(RT0, Admission.of(RT0, List.of(rule), List.of(all)).priority());
  }

  @Test
  void nothingIsLowerThanIdle() throws IOException {
    AccessPolicy policy =
        policy(
            directory,
            "<io-priority-policy>",
            "<cap class='idle' concurrent='1'/>",
            "</io-priority-policy>");
    assertTrue(policy.hasCap(IoClass.IDLE));
    assertFalse(policy.hasCap(IoClass.REALTIME));
    Admission first = policy.decide(IoPriority.IDLE, BE0, user("a", null)).admit();
    Admission second = policy.decide(IoPriority.IDLE, BE0, user("a", null)).admit();
    assertFalse(first.isCapped());
    assertEquals(IoPriority.IDLE, second.priority());
    assertTrue(second.isCapped());
  }

  @Test
  void whatIsDoneAndWhenDecidesAmongRulesForTheSameUser() throws IOException {
    AccessPolicy policy =
        Policies.policy(
            directory,
            "<io-priority-policy>",
            "<rule user='a' highest='be:0'/>",
            "<rule user='a' operation='scan multi' highest='be:5' default='be:6'/>",
            "<rule user='a' operation='scan' hours='22-6' highest='rt:0' default='be:1'/>",
            "</io-priority-policy>");
    Requester get = Policies.doing("a", RequestKind.GET, 23);
    Requester multi = Policies.doing("a", RequestKind.MULTI, 23);
    Requester scanByDay = Policies.doing("a", RequestKind.SCAN, 6);
    Requester scanAtNight = Policies.doing("a", RequestKind.SCAN, 5);
    assertEquals(BE0, policy.decide(RT0, BE0, get).allowed());
    assertNull(policy.given(get));
    assertEquals(IoPriority.bestEffort(5), policy.decide(RT0, BE0, multi).allowed());
    assertEquals(IoPriority.bestEffort(6), policy.given(scanByDay));
    assertEquals(RT0, policy.decide(RT0, BE0, scanAtNight).allowed());
    assertEquals(IoPriority.bestEffort(1), policy.given(scanAtNight));
    assertNull(policy.given(Policies.doing("b", RequestKind.SCAN, 5)));
    assertNull(policy.given(Policies.doing("a", null, 5)), "what no rule names");
  }

  @Test
  void aRuleForAFamilyIsForWhatStaysWithinIt() throws IOException {
    AccessPolicy policy =
        Policies.policy(
            directory,
            "<io-priority-policy>",
            "<rule user='a' highest='be:1'/>",
            "<rule user='a' operation='get' hours='0-12' highest='be:2'/>",
            "<rule user='a' family='raw*' highest='be:3'/>",
            "<rule user='a' family='raw' highest='be:4'/>",
            "<rule user='a' table='t' highest='be:5'/>",
            "<rule user='a' table='t' family='raw' highest='be:6'/>",
            "</io-priority-policy>");
    assertEquals(1, level(policy, Policies.within("a", "u")), "of all families");
    assertEquals(1, level(policy, Policies.within("a", "u", "raw", "cooked")));
    assertEquals(3, level(policy, Policies.within("a", "u", "raw", "raw2")));
    assertEquals(4, level(policy, Policies.within("a", "u", "raw")), "a whole name goes first");
    assertEquals(5, level(policy, Policies.within("a", "t", "cooked")));
    assertEquals(6, level(policy, Policies.within("a", "t", "raw")));
  }

  private static int level(AccessPolicy policy, Requester requester) {
    return policy.decide(RT0, BE0, requester).allowed().level();
  }

  @Test
  void aTenantIsNamedOnlyByThoseWhoMay() throws IOException {
    AccessPolicy policy =
        Policies.policy(
            directory,
            "<io-priority-policy>",
            "<tenant name='shop'/><tenant name='etl' limit='0.3'/><tenant name='lab' weight='0.5'/>",
            "<rule user='hbase' highest='rt:0' tenant='shop' on-behalf-of='*'/>",
            "<rule user='spark' highest='be:4' on-behalf-of='etl lab'/>",
            "<rule user='joe' highest='be:4' tenant='etl'/>",
            "</io-priority-policy>");
    Decision hbase = policy.decide(RT0, BE0, user("hbase", null));
    assertEquals("etl", hbase.tenant("etl"));
    assertEquals("default", hbase.tenant("default"));
    assertEquals("shop", hbase.tenant("nobody"), "the policy has none of that name");
    assertEquals("shop", hbase.tenant(null));
    Decision spark = policy.decide(RT0, BE0, user("spark", null));
    assertEquals("lab", spark.tenant("lab"));
    assertEquals("default", policy.decide(RT0, BE0, user("spark", null)).tenant("default"));
    assertEquals("default", spark.tenant("shop"));
    assertEquals("etl", policy.decide(RT0, BE0, user("joe", null)).tenant("lab"));
    assertEquals("default", policy.decide(RT0, BE0, user("ann", null)).tenant("etl"));
    assertEquals("etl", policy.tenant(user("joe", null)));
  }

  /** Whoever holds what others wait for has no less than those who belong to nobody. */
  @Test
  void whatOthersWaitForCountsForNobodyWhoMayHaveLess() throws IOException {
    AccessPolicy policy =
        Policies.policy(
            directory,
            "<io-priority-policy>",
            "<tenant name='shop'/><tenant name='etl' limit='0.3'/><tenant name='lab' weight='0.5'/>",
            "</io-priority-policy>");
    assertEquals("shop", policy.raised("shop"));
    assertEquals("default", policy.raised("etl"));
    assertEquals("default", policy.raised("lab"));
    assertEquals("default", policy.raised("default"));
    AccessPolicy little =
        Policies.policy(
            directory,
            "<io-priority-policy>",
            "<tenant name='default' limit='0.1'/><tenant name='shop' weight='4' limit='0.9'/>",
            "</io-priority-policy>");
    assertEquals("shop", little.raised("shop"), "nobody's would wait for longer");
  }

  @Test
  void whileHisGroupsAreNotKnownNobodyHasTheTenantOfOthers() throws IOException {
    AccessPolicy policy =
        Policies.policy(
            directory,
            "<io-priority-policy>",
            "<tenant name='shop'/><tenant name='etl'/>",
            "<rule group='etl' highest='be:0' tenant='etl'/>",
            "<rule user='*' highest='be:0' tenant='shop' on-behalf-of='*'/>",
            "</io-priority-policy>");
    Requester unknown = Policies.userWithoutGroups("joe", null);
    assertEquals("default", policy.decide(BE0, BE0, unknown).tenant("shop"));
    assertEquals("default", policy.tenant(unknown));
    assertEquals("shop", policy.tenant(user("joe", null, "people")));
  }
}
