// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.role.RolePriorities;
import org.junit.jupiter.api.Test;

class OwnerTest {

  /**
   * No cache directive is made, no disks are balanced, nothing is bulk-loaded or replicated, no
   * RegionServer dies.
   */
  private static final Set<IoRole> NOT_AT_WORK =
      EnumSet.of(
          IoRole.CACHED_BLOCK_LOAD,
          IoRole.DISK_BALANCER,
          IoRole.BULK_LOAD,
          IoRole.REPLICATION_SOURCE,
          IoRole.WAL_RECOVERY);

  private static Owner owner(String operation, String priority, String comm) {
    return Owner.of(new Owner.Request(operation.startsWith("R"), operation, priority, comm));
  }

  @Test
  void aPriorityHasOneOwnerInEachDirection() {
    for (IoPriority priority : IoPriority.all()) {
      for (boolean read : new boolean[] {true, false}) {
        List<Owner> owners =
            Arrays.stream(Owner.values())
                .filter(owner -> priority.equals(owner.priority()) && owner.does(read))
                .collect(Collectors.toList());
        assertTrue(priority.isNone() || owners.size() <= 1, owners::toString);
      }
    }
  }

  @Test
  void everyRoleThatHasABlockOnADiskHasAnOwner() {
    for (IoRole.Daemon daemon : IoRole.Daemon.values()) {
      RolePriorities roles = RolePriorities.parse(Owner.roles(daemon), daemon);
      EnumSet<IoRole> missing =
          EnumSet.copyOf(
              Arrays.stream(IoRole.values())
                  .filter(role -> role.daemon() == daemon && roles.of(role) == null)
                  .collect(Collectors.toCollection(() -> EnumSet.noneOf(IoRole.class))));
      missing.removeAll(NOT_AT_WORK);
      assertEquals(EnumSet.noneOf(IoRole.class), missing);
    }
  }

  @Test
  void thePriorityAndTheDirectionNameTheOwner() {
    assertEquals(Owner.GET, owner("RA", "rt,0,0", "DataXceiver for"));
    assertEquals(Owner.WAL, owner("WS", "be,0,0", "kworker/N:NH"));
    assertEquals(Owner.PREFETCH, owner("R", "be,0,0", "DataXceiver for"));
    assertEquals(Owner.BLOCK_SCANNER, owner("RM", "idle,0,0", "VolumeScannerTh"));
    assertEquals(Owner.UNASKED, owner("W", "rt,0,0", "DataXceiver for"));
    assertEquals(Owner.UNASKED, owner("R", "idle,0,7", "java"));
  }

  @Test
  void whatTheFileSystemAndTheKernelDoIsNobodysButKnown() {
    assertEquals(Owner.JOURNAL, owner("WS", "be,0,3", "kworker/N:NH"));
    assertEquals(Owner.JOURNAL, owner("FWFS", "be,0,4", "jbdN/loopN-N"));
    assertEquals(Owner.METADATA, owner("RM", "be,0,4", "DataXceiver for"));
    assertEquals(Owner.WRITEBACK, owner("W", "be,0,4", "kworker/uN:N"));
    assertEquals(Owner.NOBODY, owner("WS", "be,0,4", "DataXceiver for"));
    assertEquals(Owner.NOBODY, owner("RA", "be,0,4", "DataXceiver for"));
  }
}
