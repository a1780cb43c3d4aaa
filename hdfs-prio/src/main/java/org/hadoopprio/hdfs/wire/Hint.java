// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;

/**
 * What a request says of itself: its priority, what it is for, for which tenant it is, how many
 * reads are expected to follow for which the same somebody waits, whether its client would rather
 * go to another replica than wait, and for how long the client waits for data at most. Immutable.
 * Hints with neither a target nor a patience nor a tenant are always the same object for the same
 * values.
 */
public final class Hint {

  /** Neither is stated. */
  public static final Hint NOTHING = new Hint(null, null);

  /** The most reads that can be said to follow; after so many none can be on time. */
  public static final int MOST_FOLLOWING = 10_000;

  /**
   * A client that waits for so long or longer, in milliseconds, says nothing: no DataNode makes it
   * wait for more than a third of that.
   */
  public static final int ENOUGH_PATIENCE_MILLIS = 60_000;

  private static final Map<IoPriority, Hint> WITHOUT_ROLE = new HashMap<>();
  private static final Map<IoRole, Map<IoPriority, Hint>> ALL = new EnumMap<>(IoRole.class);

  static {
    for (IoPriority priority : IoPriority.all()) {
      WITHOUT_ROLE.put(priority, new Hint(priority, null));
    }
    for (IoRole role : IoRole.values()) {
      Map<IoPriority, Hint> hints = new HashMap<>();
      hints.put(null, new Hint(null, role));
      for (IoPriority priority : IoPriority.all()) {
        hints.put(priority, new Hint(priority, role));
      }
      ALL.put(role, hints);
    }
  }

  private final IoPriority priority;
  private final IoRole role;
  private final int following;
  private final boolean mayRefuse;
  private final int patienceMillis;

  /** Null if none is stated. */
  private final String tenant;

  private Hint(IoPriority priority, IoRole role) {
    this(priority, role, 0, false, 0, null);
  }

  private Hint(
      IoPriority priority,
      IoRole role,
      int following,
      boolean mayRefuse,
      int patienceMillis,
      String tenant) {
    this.priority = priority;
    this.role = role;
    this.following = following;
    this.mayRefuse = mayRefuse;
    this.patienceMillis = patienceMillis;
    this.tenant = tenant;
  }

  /**
   * The hint with these values.
   *
   * @param priority null if none is stated
   * @param role null if none is stated
   */
  public static Hint of(IoPriority priority, IoRole role) {
    if (priority != null && priority.hasTarget()) {
      return new Hint(priority, role);
    }
    if (role != null) {
      return ALL.get(role).get(priority);
    }
    return priority == null ? NOTHING : WITHOUT_ROLE.get(priority);
  }

  /** What the innermost {@link PriorityScope} of the calling thread states. */
  public static Hint ofScope() {
    return ofScope(PriorityScope.current());
  }

  /** The same with another priority; null for none. */
  public static Hint ofScope(IoPriority stated) {
    return of(stated, PriorityScope.currentRole())
        .ofTenant(PriorityScope.currentTenant())
        .patientFor(PriorityScope.currentPatienceMillis());
  }

  /** The same for work of a tenant; null for none. */
  public Hint ofTenant(String name) {
    if (Objects.equals(tenant, name)) {
      return this;
    }
    return name == null && following == 0 && !mayRefuse && patienceMillis == 0
        ? of(priority, role)
        : new Hint(priority, role, following, mayRefuse, patienceMillis, name);
  }

  /**
   * The same for a client that gives up a DataNode from which nothing comes; this object if it says
   * nothing, or has that patience.
   *
   * @param millis after how many milliseconds; {@value #ENOUGH_PATIENCE_MILLIS} and more, and 0 and
   *     less, are not said
   */
  public Hint patientFor(int millis) {
    int said = millis < 0 || millis >= ENOUGH_PATIENCE_MILLIS ? 0 : millis;
    if (saysNothing() || said == patienceMillis) {
      return this;
    }
    return said == 0 && following == 0 && !mayRefuse && tenant == null
        ? of(priority, role)
        : new Hint(priority, role, following, mayRefuse, said, tenant);
  }

  /**
   * The same with a number of reads that are expected to follow within its latency target; this
   * object if it has no target.
   *
   * @param reads more than {@value #MOST_FOLLOWING} count as so many, a negative number as 0
   */
  public Hint followedBy(int reads) {
    int count = Math.max(0, Math.min(reads, MOST_FOLLOWING));
    return hasTarget() && count != following
        ? new Hint(priority, role, count, mayRefuse, patienceMillis, tenant)
        : this;
  }

  /**
   * The same for a read that the DataNode may refuse if it would miss its latency target, because
   * the client can go to another replica; this object if it has no target.
   */
  public Hint refusable() {
    return hasTarget() && !mayRefuse
        ? new Hint(priority, role, following, true, patienceMillis, tenant)
        : this;
  }

  private boolean hasTarget() {
    return priority != null && priority.hasTarget();
  }

  /** Whether the DataNode may refuse the read if it would miss its latency target. */
  public boolean mayRefuse() {
    return mayRefuse;
  }

  /** How many reads are expected to follow within the latency target of this one. */
  public int following() {
    return following;
  }

  /** The same without a target: what is written has none. */
  public Hint withoutTarget() {
    return hasTarget()
        ? of(priority.withoutTarget(), role).ofTenant(tenant).patientFor(patienceMillis)
        : this;
  }

  /**
   * After how many milliseconds without data the client gives up; 0 if it does not say, less than
   * {@value #ENOUGH_PATIENCE_MILLIS}.
   */
  public int patienceMillis() {
    return patienceMillis;
  }

  /** Whether it states neither a priority nor a tenant, so that it is not sent. */
  public boolean saysNothing() {
    return priority == null && tenant == null;
  }

  /** The name of the tenant; null if none is stated. */
  public String tenant() {
    return tenant;
  }

  /** The priority; null if none is stated. */
  public IoPriority priority() {
    return priority;
  }

  /** The role; null if none is stated. */
  public IoRole role() {
    return role;
  }

  /**
   * Opens a scope with priority, role, patience and tenant on the calling thread.
   *
   * @return null if it says nothing: then there is nothing to pass on
   */
  public PriorityScope openScope() {
    return saysNothing() ? null : PriorityScope.open(priority, role, patienceMillis, tenant);
  }
}
