// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import static org.hadoopprio.policy.Policies.policy;
import static org.hadoopprio.policy.Policies.user;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hadoopprio.IoPriority;
import org.hadoopprio.log.LoggedLines;
import org.hadoopprio.policy.AuditLog.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is logged, and how often. */
class AuditLogTest {

  private static final IoPriority RT0 = IoPriority.realtime(0);
  private static final IoPriority BE0 = IoPriority.bestEffort(0);

  @TempDir private Path directory;

  private final AtomicLong clock = new AtomicLong();
  private final AuditLog audit = new AuditLog(clock::get);
  private AccessPolicy policy;
  private LoggedLines lines;

  @BeforeEach
  void begin() throws IOException {
    policy =
        policy(
            directory,
            "<io-priority-policy>",
            "<rule user='shop' highest='rt:0'/>",
            "</io-priority-policy>");
    lines = LoggedLines.of(AuditLog.LOGGER);
  }

  @AfterEach
  void end() {
    lines.close();
  }

  private void note(Outcome outcome, IoPriority asked, IoPriority granted, String name) {
    Requester requester = user(name, "t");
    audit.note(
        outcome, asked, granted, requester, "/10.0.0.1", policy.decide(asked, BE0, requester));
  }

  private static void assertBegins(String begin, String line) {
    assertTrue(line.startsWith(begin), line);
  }

  @Test
  void nothingIsLoggedUntilItIsOn() {
    assertFalse(audit.isOn());
    note(Outcome.REJECTED, RT0, IoPriority.NONE, "joe");
    assertEquals(List.of(), lines.all());
    audit.setFrom(RT0);
    note(Outcome.REJECTED, RT0, IoPriority.NONE, "joe");
    assertEquals(1, lines.all().size());
    audit.setFrom(null);
    note(Outcome.REJECTED, RT0, IoPriority.NONE, "ann");
    assertEquals(1, lines.all().size());
  }

  @Test
  void grantsFromThePriorityOnAndAllThatIsNotGranted() {
    audit.setFrom(IoPriority.realtime(3));
    note(Outcome.GRANTED, IoPriority.realtime(4), IoPriority.realtime(4), "shop");
    note(Outcome.GRANTED, BE0, BE0, "joe");
    assertEquals(List.of(), lines.all());
    note(Outcome.GRANTED, IoPriority.realtime(3).within(50), IoPriority.realtime(3), "shop");
    note(Outcome.LOWERED, RT0, BE0, "joe");
    note(Outcome.CAPPED, RT0, BE0, "shop");
    assertEquals(
        List.of(
            "count=1 outcome=granted asked=rt:3 granted=rt:3 address=/10.0.0.1 user=\"shop\" table=\"t\""
                + " because=rule for user \"shop\" (line 2) allows rt:0",
            "count=1 outcome=lowered asked=rt:0 granted=be:0 address=/10.0.0.1 user=\"joe\" table=\"t\""
                + " because=no rule",
            "count=1 outcome=capped asked=rt:0 granted=be:0 address=/10.0.0.1 user=\"shop\" table=\"t\""
                + " because=rule for user \"shop\" (line 2) allows rt:0"),
        lines.all());
  }

  @Test
  void requestsOfAKindHaveALineAMinuteWithTheirNumber() {
    audit.setFrom(RT0);
    for (int i = 0; i < 500; i++) {
      note(Outcome.GRANTED, RT0, RT0, "shop");
      clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    }
    assertEquals(1, lines.all().size());
    clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
    note(Outcome.GRANTED, RT0, RT0, "shop");
    assertEquals(2, lines.all().size());
    assertBegins("count=500 outcome=granted ", lines.all().get(1));
  }

  /** Without Kerberos a client has as many names as it likes, of any length. */
  @Test
  void manyNamesAreNoFlood() {
    audit.setFrom(RT0);
    for (int i = 0; i < 1000; i++) {
      note(Outcome.LOWERED, RT0, BE0, "u\n" + i + "x".repeat(1000));
    }
    assertEquals(AuditLog.MAX_KINDS + 1, lines.all().size());
    assertTrue(lines.all().get(0).contains(" user=\"u?0xxx"), lines.all().get(0));
    assertTrue(lines.all().get(0).length() < 400, lines.all().get(0));
    assertBegins("count=1 of more than 100 kinds, such as ", lines.all().get(100));

    clock.addAndGet(TimeUnit.MINUTES.toNanos(2));
    note(Outcome.LOWERED, RT0, BE0, "joe");
    assertBegins("count=899 of more than 100 kinds, such as ", lines.all().get(101));
    assertBegins("count=1 outcome=lowered ", lines.all().get(102));
    assertEquals(103, lines.all().size());
  }

  /** The names of an hour ago must not keep those of now out of the log. */
  @Test
  void aKindThatHasEndedHasALineForItsRestAndMakesRoom() {
    audit.setFrom(RT0);
    for (int i = 0; i < 2 * AuditLog.MAX_KINDS; i++) {
      note(Outcome.LOWERED, RT0, BE0, "u" + i % AuditLog.MAX_KINDS);
    }
    assertEquals(AuditLog.MAX_KINDS, lines.all().size());
    clock.addAndGet(TimeUnit.MINUTES.toNanos(2));
    note(Outcome.LOWERED, RT0, BE0, "joe");
    List<String> more = lines.all().subList(AuditLog.MAX_KINDS, lines.all().size());
    assertEquals(AuditLog.MAX_KINDS + 1, more.size());
    assertTrue(
        more.get(AuditLog.MAX_KINDS).matches("count=1 outcome=lowered .* user=\"joe\" .*"),
        more::toString);
    for (int i = 0; i < AuditLog.MAX_KINDS; i++) {
      assertTrue(more.contains(line(1, "u" + i)), more::toString);
    }
  }

  @Test
  void aKindThatGoesOnHasNoLineBesides() {
    audit.setFrom(RT0);
    for (int second = 0; second <= 600; second++) {
      note(Outcome.LOWERED, RT0, BE0, "ann");
      note(Outcome.LOWERED, RT0, BE0, "joe");
      clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    assertEquals(22, lines.all().size(), lines.all()::toString);
  }

  @Test
  void aLogThatIsSwitchedOffEndsWithTheRest() {
    audit.setFrom(RT0);
    for (int i = 0; i < 5; i++) {
      note(Outcome.LOWERED, RT0, BE0, "joe");
    }
    audit.setFrom(null);
    assertEquals(List.of(line(1, "joe"), line(4, "joe")), lines.all());
    audit.setFrom(RT0);
    clock.addAndGet(TimeUnit.MINUTES.toNanos(2));
    note(Outcome.LOWERED, RT0, BE0, "ann");
    assertEquals(line(1, "ann"), lines.all().get(2));
  }

  private static String line(int count, String name) {
    return "count="
        + count
        + " outcome=lowered asked=rt:0 granted=be:0 address=/10.0.0.1 user=\""
        + name
        + "\" table=\"t\" because=no rule";
  }

  /** Nor does what looks like another part of the line deceive who reads it. */
  @Test
  void aNameStaysWithinItsQuotes() {
    audit.setFrom(RT0);
    note(Outcome.LOWERED, RT0, BE0, "shop address=10.0.0.7 table=orders because=...");
    note(Outcome.LOWERED, RT0, BE0, "shop\" address=/10.0.0.7 \\");
    for (String line : lines.all()) {
      String unquoted = line.replaceAll("\"[^\"]*\"", "");
      assertTrue(unquoted.matches("[^\"]* address=/10.0.0.1 user= table= because=no rule"), line);
      assertEquals(1, unquoted.split(" address=", -1).length - 1, line);
    }
    assertEquals(2, lines.all().size());
  }
}
