// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.Objects;

/** The requests of one class of one tenant: whose a stream is, and who has a disk. Immutable. */
public final class Owner {

  private final DiskClass diskClass;
  private final Tenant tenant;

  public Owner(DiskClass diskClass, Tenant tenant) {
    this.diskClass = diskClass;
    this.tenant = tenant;
  }

  public DiskClass diskClass() {
    return diskClass;
  }

  public Tenant tenant() {
    return tenant;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Owner
        && ((Owner) other).diskClass == diskClass
        && ((Owner) other).tenant == tenant;
  }

  @Override
  public int hashCode() {
    return Objects.hash(diskClass, tenant);
  }

  @Override
  public String toString() {
    return tenant + " " + diskClass.shortName();
  }
}
