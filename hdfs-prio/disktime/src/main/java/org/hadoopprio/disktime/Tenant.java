// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Those whose use of a disk counts together: who asks ({@link Claim}) belongs to one. Each disk
 * knows a tenant by this object. Its terms may change at any time; thread-safe.
 */
public final class Tenant {

  /** The most characters of a name. */
  public static final int MAX_NAME = 40;

  /** It stands in messages and figures as it is. */
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0," + (MAX_NAME - 1) + "}");

  /** Whoever belongs to no other one. */
  public static final Tenant DEFAULT = new Tenant("default");

  /** What a tenant may have of each disk. Immutable. */
  public static final class Terms {

    /** A weight of 1, no guarantee, no limit. */
    public static final Terms NONE = new Terms(1, 0, 1);

    /** The least weight. */
    public static final double MIN_WEIGHT = 0.001;

    /** The greatest weight. */
    public static final double MAX_WEIGHT = 1000;

    /** The least limit, a turn in 10 s: HDFS clients give up after 60. */
    public static final double MIN_LIMIT = 0.01;

    private final double weight;
    private final double guarantee;
    private final double limit;

    /**
     * Makes terms; the getters say what each is.
     *
     * @throws IllegalArgumentException if one is not within its range
     */
    public Terms(double weight, double guarantee, double limit) {
      check(weight >= MIN_WEIGHT && weight <= MAX_WEIGHT, "a tenant's weight", weight);
      check(guarantee >= 0 && guarantee <= 1, "a tenant's guarantee", guarantee);
      check(limit >= MIN_LIMIT && limit <= 1 && limit >= guarantee, "a tenant's limit", limit);
      this.weight = weight;
      this.guarantee = guarantee;
      this.limit = limit;
    }

    private static void check(boolean isAllowed, String what, double value) {
      if (!isAllowed) {
        throw new IllegalArgumentException(what + ": " + value);
      }
    }

    /** Its part of what tenants share, in proportion to those of others that ask; 0.001 to 1000. */
    public double weight() {
      return weight;
    }

    /** The part of what others' real-time leaves that it has while it asks; 0 for none. */
    public double guarantee() {
      return guarantee;
    }

    /** The most that it has of the disk's time, also alone; 0.01 to 1, which is no limit. */
    public double limit() {
      return limit;
    }

    boolean isLimited() {
      return limit < 1;
    }

    @Override
    public String toString() {
      return "weight "
          + weight
          + (guarantee > 0 ? ", at least " + guarantee + " of each disk" : "")
          + (limit < 1 ? ", at most " + limit + " of each disk" : "");
    }
  }

  private final String name;
  private volatile Terms terms = Terms.NONE;

  /** A tenant with {@link Terms#NONE}. */
  public Tenant(String name) {
    this.name = Objects.requireNonNull(name);
  }

  /** Whether a text can be the name of a tenant. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * Returns a text that can be the name of a tenant.
   *
   * @throws IllegalArgumentException for another, saying what is allowed
   */
  public static String requireName(String text) {
    if (!isName(text)) {
      throw new IllegalArgumentException(
          "allowed: 1 to 40 letters, digits and any of _ . -, a letter or digit first");
    }
    return text;
  }

  /** As metrics and logs name it. */
  public String name() {
    return name;
  }

  /** What it may have now. */
  public Terms terms() {
    return terms;
  }

  /** Changes what it may have, from the next decision of a disk on. */
  public void setTerms(Terms changed) {
    terms = Objects.requireNonNull(changed);
  }

  @Override
  public String toString() {
    return name;
  }
}
