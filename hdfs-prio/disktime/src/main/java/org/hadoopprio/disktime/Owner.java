// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.Objects;

/** The requests of one class of one tenant that are for one purpose: who has a disk. Immutable. */
public final class Owner {

  /** The role of requests of which nobody has said what they are for. */
  public static final String UNKNOWN_ROLE = "unknown";

  private final DiskClass diskClass;
  private final Tenant tenant;
  private final String role;
  private final int hash;

  /** Those of which nobody has said what they are for. */
  public Owner(DiskClass diskClass, Tenant tenant) {
    this(diskClass, tenant, UNKNOWN_ROLE);
  }

  /**
   * Names them.
   *
   * @param role what they are for, such as a compaction; only compared
   */
  public Owner(DiskClass diskClass, Tenant tenant, String role) {
    this.diskClass = diskClass;
    this.tenant = tenant;
    this.role = role;
    this.hash = Objects.hash(diskClass, tenant, role);
  }

  public DiskClass diskClass() {
    return diskClass;
  }

  public Tenant tenant() {
    return tenant;
  }

  /** What they are for; {@link #UNKNOWN_ROLE} if nobody has said it. */
  public String role() {
    return role;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Owner
        && ((Owner) other).diskClass == diskClass
        && ((Owner) other).tenant == tenant
        && ((Owner) other).role.equals(role);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return tenant + " " + diskClass.shortName() + (role.equals(UNKNOWN_ROLE) ? "" : " " + role);
  }
}
