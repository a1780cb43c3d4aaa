// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.hadoopprio.IoPriority;
import org.hadoopprio.tools.trace.BlockTraceEvent;
import org.junit.jupiter.api.Test;

class BlockTraceSummaryTest {

  private final BlockTraceSummary.Collector collector = new BlockTraceSummary.Collector();

  private void add(String rwbs, int bytes, String priority) {
    collector.add(
        BlockTraceEvent.parse(
                String.format(
                    " dd-1 [001] ..... 1.5: block_rq_issue: 7,0 %s %d () 0 + %d %s [dd]",
                    rwbs, bytes, bytes / 512, priority))
            .orElseThrow());
  }

  @Test
  void addsUpReadsAndWritesByPriority() {
    add("R", 4096, "rt,0,3");
    add("RA", 8192, "rt,0,3");
    add("R", 4096, "idle,0,0");
    add("W", 512, "be,0,4");
    add("D", 1024, "be,0,4");
    BlockTraceSummary summary = collector.summary(0);
    assertEquals(12288, summary.reads(IoPriority.realtime(3)).bytes());
    assertEquals(2, summary.reads(IoPriority.realtime(3)).requests());
    assertEquals(4096, summary.reads(IoPriority.IDLE).bytes());
    assertEquals(16384, summary.allReads().bytes());
    assertEquals(0.75, summary.shareOfReadBytes(IoPriority.realtime(3)));
    assertEquals(512, summary.writes().get("be,0,4").bytes());
    assertEquals(1, summary.writes().size());
  }

  @Test
  void keepsPrioritiesApartThatDifferInLevelOrHint() {
    add("R", 512, "rt,0,3");
    add("R", 512, "rt,0,4");
    add("R", 512, "rt,1,3");
    assertEquals(512, collector.summary(0).reads(IoPriority.realtime(3)).bytes());
    assertEquals(3, collector.summary(0).reads().size());
  }

  @Test
  void findsUnsetPrioritiesWhereTheKernelPutsThem() {
    add("R", 512, "be,0,4");
    assertEquals(512, collector.summary(0).reads(IoPriority.NONE).bytes());
    assertEquals("be,0,7", BlockTraceSummary.kernelText(IoPriority.bestEffort(7)));
    assertEquals("idle,0,0", BlockTraceSummary.kernelText(IoPriority.IDLE));
  }

  @Test
  void takesIdleAtAnyLevelTogether() {
    add("R", 512, "idle,0,0");
    add("R", 1024, "idle,0,7");
    assertEquals(1536, collector.summary(0).reads(IoPriority.IDLE).bytes());
    assertEquals(1, collector.summary(0).shareOfReadBytes(IoPriority.IDLE));
  }

  @Test
  void isEmptyWithoutEvents() {
    BlockTraceSummary summary = collector.summary(7);
    assertEquals(0, summary.allReads().requests());
    assertEquals(0, summary.shareOfReadBytes(IoPriority.IDLE));
    assertEquals(7, summary.lostEvents());
  }

  @Test
  void doesNotChangeWithLaterEvents() {
    BlockTraceSummary before = collector.summary(0);
    add("R", 512, "be,0,4");
    assertEquals(0, before.allReads().requests());
  }
}
