// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines as Linux 6.18 prints them, and as older kernels and other trace options do. */
class BlockTraceEventTest {

  private static final String READ =
      "              dd-8555    [001] .....  1650.909000: block_rq_issue: 7,0 R 65536 () 72 + 128"
          + " rt,0,3 [dd]";

  private static BlockTraceEvent parse(String line) {
    return BlockTraceEvent.parse(line).orElseThrow();
  }

  @Test
  void readsEveryField() {
    BlockTraceEvent event = parse(READ);
    assertEquals(1650.909, event.seconds());
    assertEquals(new DeviceNumber(7, 0), event.device());
    assertEquals("R", event.operation());
    assertEquals(65536, event.bytes());
    assertEquals(72, event.sector());
    assertEquals(128, event.sectors());
    assertEquals(Optional.of("rt,0,3"), event.priority());
    assertEquals(8555, event.pid());
    assertEquals("dd", event.comm());
  }

  @Test
  void readsACompletion() {
    BlockTraceEvent event =
        parse(
            "          <idle>-0       [001] d.h..   166.501187: block_rq_complete: 259,0 RA () 72 + 128"
                + " be,0,4 [0]");
    assertTrue(event.isCompletion());
    assertEquals(166.501187, event.seconds());
    assertEquals(65536, event.bytes());
    assertEquals(72, event.sector());
    assertEquals(Optional.of("be,0,4"), event.priority());
    assertFalse(parse(READ).isCompletion());
    BlockTraceEvent flush =
        parse(
            "  kworker/0:1H-90      [000] .....   166.501187: block_rq_complete: 8,0 FF ()"
                + " 18446744073709551615 + 0 none,0,0 [0]");
    assertEquals(-1, flush.sector());
  }

  @Test
  void readsNamesWithBlanksDashesAndBrackets() {
    BlockTraceEvent event =
        parse(
            " DataXceiver for-20812   [000] d..1.   99.000001: block_rq_issue: 259,12 RA 4096 () 8 +"
                + " 8 idle,0,0 [DataXceiver [a-1]]");
    assertEquals(20812, event.pid());
    assertEquals("DataXceiver [a-1]", event.comm());
    assertEquals(new DeviceNumber(259, 12), event.device());
    assertTrue(event.isRead());
  }

  @Test
  void readsATraceWithThreadGroups() {
    assertEquals(8555, parse(READ.replace("dd-8555    [001]", "dd-8555 (   8550) [001]")).pid());
    assertEquals(8555, parse(READ.replace("dd-8555    [001]", "dd-8555 (-------) [001]")).pid());
  }

  @Test
  void readsATraceWithoutFlags() {
    assertEquals(8555, parse(READ.replace(" .....", "")).pid());
  }

  @Test
  void readsPassThroughCommandsAndUnknownComms() {
    BlockTraceEvent event =
        parse(
            "           <...>-44      [001] .....  1650.904894: block_rq_issue: 8,16 N 36 (12 00 00"
                + " 00 24 00) 0 + 0 none,0,0 [kworker/1:1H]");
    assertEquals("N", event.operation());
    assertEquals(Optional.of("none,0,0"), event.priority());
    assertFalse(event.isRead());
    assertFalse(event.isWrite());
  }

  @Test
  void hasNoPriorityWhereTheKernelPrintsNone() {
    assertEquals(Optional.empty(), parse(READ.replace("rt,0,3 ", "")).priority());
  }

  @ParameterizedTest
  @CsvSource({
    "R,true,false",
    "RA,true,false",
    "RSM,true,false",
    "W,false,true",
    "WS,false,true",
    "FWFSM,false,true",
    "F,false,false",
    "DS,false,false",
    "N,false,false"
  })
  void tellsReadsFromWrites(String rwbs, boolean read, boolean write) {
    BlockTraceEvent event = parse(READ.replace(" R ", " " + rwbs + " "));
    assertEquals(read, event.isRead());
    assertEquals(write, event.isWrite());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "CPU:1 [LOST 123 EVENTS]",
        "            bash-8541    [001] ...1.  1650.909439: tracing_mark_write: endmark",
        "              dd-8555    [001] .....  1650.909000: block_rq_insert: 7,0 R 4096 () 72 + 8"
            + " rt,0,3 [dd]",
        "              dd-8555    [001] .....  1650.909000: block_rq_issue: 7,0 R 65536 () 72 +"
      })
  void leavesOtherLinesOut(String line) {
    assertEquals(Optional.empty(), BlockTraceEvent.parse(line));
  }
}
