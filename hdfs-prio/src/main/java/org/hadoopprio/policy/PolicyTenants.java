// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hadoopprio.disktime.Tenant;

/** The tenants that a policy file names, while it is read. Not thread-safe. */
final class PolicyTenants {

  /** Each has figures of each disk of its own. */
  static final int MAX_COUNT = 64;

  /** A sum of decimal fractions is not exact. */
  private static final double ROUNDING = 1e-9;

  private final Map<String, Tenant.Terms> terms = new LinkedHashMap<>();
  private final Map<String, Integer> lines = new HashMap<>();

  static Double weight(String text) {
    return number(text, Tenant.Terms.MIN_WEIGHT, Tenant.Terms.MAX_WEIGHT);
  }

  /** A part of a disk's time. */
  static Double part(String text) {
    return number(text, Tenant.Terms.MIN_LIMIT, 1);
  }

  private static Double number(String text, double least, double most) {
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      number = Double.NaN;
    }
    if (!(number >= least && number <= most)) {
      throw new IllegalArgumentException("allowed: a number from " + least + " to " + most);
    }
    return number;
  }

  /**
   * Adds one.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  void add(String name, Tenant.Terms its, int line) {
    Integer other = lines.putIfAbsent(name, line);
    if (other != null) {
      throw new IllegalArgumentException("tenant " + name + " is in line " + other + ", too");
    }
    terms.put(name, its);
    if (terms.size() > MAX_COUNT) {
      throw new IllegalArgumentException("more than " + MAX_COUNT + " tenants");
    }
    double guaranteed = terms.values().stream().mapToDouble(Tenant.Terms::guarantee).sum();
    if (guaranteed > 1 + ROUNDING) {
      throw new IllegalArgumentException(
          "the guarantees of " + terms.keySet() + " are " + guaranteed + " together; allowed: 1");
    }
  }

  /**
   * Checks that a rule's tenant is there.
   *
   * @throws IllegalArgumentException with those that are
   */
  String known(String name) {
    Set<String> all = new TreeSet<>(terms.keySet());
    all.add(Tenant.DEFAULT.name());
    if (!all.contains(name)) {
      throw new IllegalArgumentException(
          "no <tenant> before it has that name; allowed: " + String.join(", ", all));
    }
    return name;
  }

  /** What each may have, in the order of the file. */
  Map<String, Tenant.Terms> terms() {
    return terms;
  }
}
