// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
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
 * together. Thread-safe. While it is off, a request costs one read of a volatile field.
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
    /** It has less than it asked for. */
    LOWERED,
    /** It has less than it is allowed, because a cap is reached. */
    CAPPED,
    /** It has failed, or is served as if it had asked for nothing. */
    REJECTED
  }

  private final LongSupplier nanoClock;
  private final ConcurrentMap<Kind, Count> counts = new ConcurrentHashMap<>();
  private final Count others;

  /** When kinds that have had no request for a while are forgotten. */
  private final AtomicLong nextCleaning;

  /** Null for off. */
  private volatile IoPriority from;

  /** Makes a log that is off. */
  public AuditLog() {
    this(System::nanoTime);
  }

  AuditLog(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.others = new Count(nanoClock.getAsLong());
    this.nextCleaning = new AtomicLong(nanoClock.getAsLong() + INTERVAL_NANOS);
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
        "Requests that are granted this priority or a more urgent one, and all requests for more"
            + " than is allowed, are logged by the logger "
            + LOGGER
            + ", those of a kind at most once a minute with their number. rt:7: all real-time. If"
            + " not set, nothing is.",
        IoPriority::parse);
  }

  /**
   * Switches the log on or off.
   *
   * @param priority the least urgent one whose grants are logged; null for off
   */
  public void setFrom(IoPriority priority) {
    from = priority;
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
            printable(requester.user()),
            printable(requester.table()));
    long now = nanoClock.getAsLong();
    clean(now);
    Count count = counts.get(kind);
    if (count == null && counts.size() < MAX_KINDS) {
      count = counts.computeIfAbsent(kind, any -> new Count(now));
    }
    boolean isKnown = count != null;
    long number = (isKnown ? count : others).add(now);
    if (number > 0) {
      LOG.info("{}", line(kind, isKnown, number, address, decision));
    }
  }

  /** A client without Kerberos may send names of megabytes, which are not to be kept. */
  private static String printable(String name) {
    return name == null ? null : Printable.of(name);
  }

  private void clean(long now) {
    long next = nextCleaning.get();
    if (now - next >= 0 && nextCleaning.compareAndSet(next, now + INTERVAL_NANOS)) {
      counts.values().removeIf(count -> count.isIdle(now));
    }
  }

  private static String line(
      Kind kind, boolean isKnown, long number, Object address, Decision decision) {
    return "count="
        + number
        + (isKnown ? "" : " of more than " + MAX_KINDS + " kinds, such as")
        + " outcome="
        + kind.outcome.name().toLowerCase(Locale.ROOT)
        + " asked="
        + kind.asked
        + " granted="
        + kind.granted
        + " user="
        + (kind.user == null ? "unknown" : kind.user)
        + (address == null ? "" : " address=" + address)
        + (kind.table == null ? "" : " table=" + kind.table)
        + " because="
        + decision.rule().orElse("no rule");
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

  /** Requests since the last line. */
  private static final class Count {
    private final AtomicLong nextNanos;
    private final LongAdder since = new LongAdder();

    Count(long now) {
      nextNanos = new AtomicLong(now);
    }

    /** Counts one; returns how many the line is for that is to be written now, or 0. */
    long add(long now) {
      since.increment();
      long next = nextNanos.get();
      boolean isDue = now - next >= 0 && nextNanos.compareAndSet(next, now + INTERVAL_NANOS);
      return isDue ? since.sumThenReset() : 0;
    }

    boolean isIdle(long now) {
      return now - nextNanos.get() >= 0 && since.sum() == 0;
    }
  }
}
