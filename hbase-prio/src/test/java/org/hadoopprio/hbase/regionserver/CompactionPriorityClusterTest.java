package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What HBase reads for itself. */
@ExtendWith(MiniCluster.class)
class CompactionPriorityClusterTest {

  private static final int ROWS = 2000;
  private static final int VALUE_BYTES = 1000;

  @Test
  void aCompactionReadsItsFilesAtTheConfiguredPriority() throws Exception {
    // The table's own priority applies to its clients, not to compactions.
    TableName name = MiniCluster.table("compacted", "idle", 56 * 1024);
    MiniCluster.load(name, ROWS, new byte[VALUE_BYTES]);
    MiniCluster.load(name, ROWS, new byte[VALUE_BYTES]);
    HStore store = MiniCluster.util().getHBaseCluster().getRegions(name).get(0).getStores().get(0);
    assertEquals(2, store.getStorefilesCount());
    RecordingFileSystem.take("compacted");

    MiniCluster.util().getAdmin().majorCompact(name);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (store.getStorefilesCount() > 1 && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    assertEquals(1, store.getStorefilesCount());

    List<RecordingFileSystem.Read> reads = RecordingFileSystem.take("compacted");
    long prioritised = 0;
    long other = 0;
    for (RecordingFileSystem.Read read : reads) {
      if (Objects.equals(read.priority, IoPriority.bestEffort(6))) {
        prioritised += read.bytes;
      } else {
        assertNull(read.priority, read.toString());
        other += read.bytes;
      }
    }
    assertTrue(prioritised >= 2L * ROWS * VALUE_BYTES, prioritised + " bytes at be:6");
    // Opening the new file reads its trailer and index, which is not part of the compaction.
    assertTrue(other < prioritised / 50, other + " bytes at no priority: " + reads);
  }

  @Test
  void aCompactionThatFailedToPositionLeavesNoScopeBehindTheNext() {
    CompactionReads.openScope(IoPriority.bestEffort(6));
    CompactionReads.openScope(IoPriority.bestEffort(7));
    assertEquals(IoPriority.bestEffort(7), PriorityScope.current());
    assertNull(CompactionReads.closeScopeAround(null, IoPriority.bestEffort(7)));
    assertNull(PriorityScope.current());
  }
}
