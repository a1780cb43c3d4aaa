// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.hadoopprio.IoPriority;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.log.Printable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of who was granted an urgent priority, and who asked for more than is allowed: logger
 * {@value #LOGGER}, which operators send to a file of its own. Clients cause its lines at will, so
 * requests of a kind (same outcome, priorities, user and table) have one line a minute, with their
 * number since the last one, and of more than {@value #MAX_KINDS} kinds the others have one line
 * together. When no more of a kind have come for a minute, the rest have a line, too. Thread-safe.
 * While it is off, a request costs one read of a volatile field.
 */
public final class AuditLog {

  /** The logger's name. */
  public static final String LOGGER = "org.hadoopprio.audit";

  static final int MAX_KINDS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What a server has done with a request. */
  public enum Outcome {
    /** It has the priority that it asked for. */
    GRANTED,
    /** It has asked for more than it is allowed, or than it has until its groups are known. */
    LOWERED,
    /** It has less than it is allowed, because a cap is reached. */
    CAPPED,
    /** It has failed, or is served as if it had asked for nothing. */
    REJECTED;

    /** What was done with a request that is not rejected. */
    public static Outcome of(Decision decision, IoPriority granted) {
      if (decision.isTooMuch() || (decision.isWithoutGroups() && decision.isLowered())) {
        return LOWERED;
      }
      return granted.equals(decision.allowed()) ? GRANTED : CAPPED;
    }
  }

  private final LongSupplier nanoClock;

  /** Guarded by this object, as is all below but the last. */
  private final Map<Kind, Count> counts = new HashMap<>();

  private final Count others;

  /** When kinds that have had no request for a while are forgotten. */
  private long nextCleaning;

  /** Null for off. */
  private volatile IoPriority from;

  /** Makes a log that is off. */
  public AuditLog() {
    this(System::nanoTime);
  }

  AuditLog(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.others = new Count(false, nanoClock.getAsLong());
    this.nextCleaning = nanoClock.getAsLong() + INTERVAL_NANOS;
  }

  /**
   * The key that switches an audit on.
   *
   * @param name the whole name
   */
  public static ConfigKey<IoPriority> key(String name, ConfigKey.Tag tag) {
    return new ConfigKey<>(
        name,
        "priority",
        "",
        tag,
        true,
        "Grants of this priority or a more urgent one, and all requests for more than is allowed,"
            + " are logged by "
            + LOGGER
            + ", each kind at most once a minute with its number. rt:7: all real-time. Not set:"
            + " nothing.",
        IoPriority::parse);
  }

  /**
   * Switches the log on or off. A log that is switched off ends with what it has not written yet.
   *
   * @param priority the least urgent one whose grants are logged; null for off
   */
  public void setFrom(IoPriority priority) {
    from = priority;
    if (priority == null) {
      takeRest().forEach(line -> LOG.info("{}", line));
    }
  }

  private synchronized List<String> takeRest() {
    long now = nanoClock.getAsLong();
    List<String> lines = new ArrayList<>();
    counts.values().forEach(count -> count.write(now, lines));
    counts.clear();
    others.write(now, lines);
    return lines;
  }

  /** Whether anything is logged; costs one read of a volatile field. */
  public boolean isOn() {
    return from != null;
  }

  /**
   * Notes what was done with a request that stated a priority.
   *
   * @param granted what it is served at; none for a rejected one
   * @param address of the client; null if unknown
   */
  public void note(
      Outcome outcome,
      IoPriority asked,
      IoPriority granted,
      Requester requester,
      Object address,
      Decision decision) {
    IoPriority least = from;
    if (least == null || (outcome == Outcome.GRANTED && granted.compareTo(least) > 0)) {
      return;
    }
    Kind kind =
        new Kind(
            outcome,
            asked.withoutTarget(),
            granted.withoutTarget(),
            quoted(requester.user()),
            quoted(requester.table()));
    for (String line : count(new Request(kind, address, decision))) {
      LOG.info("{}", line);
    }
  }

  /**
   * A name as it is in a line. A client without Kerberos may send any, of megabytes or with what
   * looks like another part of the line; it can neither be that long nor end the quotes.
   */
  private static String quoted(String name) {
    return name == null ? null : '"' + Printable.of(name).replaceAll("[\"\\\\]", "?") + '"';
  }

  /** Counts a request; returns the lines that are to be written now. */
  private synchronized List<String> count(Request request) {
    long now = nanoClock.getAsLong();
    List<String> lines = new ArrayList<>();
    Count known = counts.get(request.kind);
    if (known == null) {
      clean(now, lines);
      known = others;
      if (counts.size() < MAX_KINDS) {
        known = new Count(true, now);
        counts.put(request.kind, known);
      }
    }
    known.add(request, now, lines);
    clean(now, lines);
    return lines;
  }

  private void clean(long now, List<String> lines) {
    if (now - nextCleaning < 0) {
      return;
    }
    nextCleaning = now + INTERVAL_NANOS;
    List<Count> idle = new ArrayList<>(List.of(others));
    idle.addAll(counts.values());
    idle.removeIf(count -> !count.isIdle(now));
    idle.forEach(count -> count.write(now, lines));
    counts.values().removeAll(idle);
  }

  /** The requests that have a line together. Immutable. */
  private static final class Kind {
    final Outcome outcome;
    final IoPriority asked;
    final IoPriority granted;
    final String user;
    final String table;

    Kind(Outcome outcome, IoPriority asked, IoPriority granted, String user, String table) {
      this.outcome = outcome;
      this.asked = asked;
      this.granted = granted;
      this.user = user;
      this.table = table;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Kind)) {
        return false;
      }
      Kind kind = (Kind) other;
      return outcome == kind.outcome
          && asked.equals(kind.asked)
          && granted.equals(kind.granted)
          && Objects.equals(user, kind.user)
          && Objects.equals(table, kind.table);
    }

    @Override
    public int hashCode() {
      return Objects.hash(outcome, asked, granted, user, table);
    }
  }

  /** One request. Immutable. */
  private static final class Request {
    final Kind kind;
    final Object address;
    final Decision decision;

    Request(Kind kind, Object address, Decision decision) {
      this.kind = kind;
      this.address = address;
      this.decision = decision;
    }

    /** What was done; what a client has chosen is last, but for the operator's rule. */
    @Override
    public String toString() {
      return "outcome="
          + kind.outcome.name().toLowerCase(Locale.ROOT)
          + " asked="
          + kind.asked
          + " granted="
          + kind.granted
          + (address == null ? "" : " address=" + address)
          + " user="
          + (kind.user == null ? "unknown" : kind.user)
          + (kind.table == null ? "" : " table=" + kind.table)
          + " because="
          + decision.rule().orElse("no rule");
    }
  }

  /** Requests since the last line. Used under the lock of its log. */
  private static final class Count {
    private final boolean isOfOneKind;
    private long nextNanos;
    private long since;
    private long latestNanos;
    private Request latest;

    Count(boolean isOfOneKind, long now) {
      this.isOfOneKind = isOfOneKind;
      nextNanos = now;
    }

    /** Counts one, and writes the line that is due then. */
    void add(Request request, long now, List<String> lines) {
      since++;
      latest = request;
      latestNanos = now;
      if (now - nextNanos >= 0) {
        write(now, lines);
      }
    }

    /** Writes the line about those that have none yet, if there are any. */
    void write(long now, List<String> lines) {
      if (since > 0) {
        String kinds = isOfOneKind ? " " : " of more than " + MAX_KINDS + " kinds, such as ";
        lines.add("count=" + since + kinds + latest);
        since = 0;
        nextNanos = now + INTERVAL_NANOS;
      }
    }

    boolean isIdle(long now) {
      return now - latestNanos >= INTERVAL_NANOS;
    }
  }
}
