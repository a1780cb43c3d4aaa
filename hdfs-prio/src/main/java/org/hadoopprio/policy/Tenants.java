// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hadoopprio.disktime.Tenant;

/**
 * The tenants of one server by their names; {@link Tenant#DEFAULT} is the same for all servers of a
 * process. A tenant stays the same while policies change, so that what it has used does not get
 * lost. Thread-safe.
 */
final class Tenants {

  private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();

  /** Those of a policy that is in force from now on; who is not in it has no terms any more. */
  void apply(Map<String, Tenant.Terms> terms) {
    terms.keySet().forEach(this::of);
    tenants.forEach((name, tenant) -> tenant.setTerms(terms.getOrDefault(name, Tenant.Terms.NONE)));
    if (!terms.containsKey(Tenant.DEFAULT.name())) {
      tenants.remove(Tenant.DEFAULT.name());
    }
  }

  /** The tenant of a name. */
  Tenant of(String name) {
    return tenants.computeIfAbsent(
        name, each -> each.equals(Tenant.DEFAULT.name()) ? Tenant.DEFAULT : new Tenant(each));
  }
}
