// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.Objects;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Tenant;

/** Whose a stream is: what others read goes on with none of it. Immutable. */
final class Owner {

  private final DiskClass diskClass;
  private final Tenant tenant;

  Owner(DiskClass diskClass, Tenant tenant) {
    this.diskClass = diskClass;
    this.tenant = tenant;
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
}
