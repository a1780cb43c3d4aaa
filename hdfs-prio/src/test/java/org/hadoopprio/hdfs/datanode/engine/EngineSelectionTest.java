// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EngineSelectionTest {

  private final PbsLibrary.Info info = new PbsLibrary.Info();

  /** A rotating disk with NCQ priority that the kernel does not use, with all rights. */
  EngineSelectionTest() {
    info.ncqSupported = 1;
    info.ncqPrioSupported = 1;
    info.ncqPrioEnabled = 0;
    info.rotational = 1;
  }

  private static void refuse(byte[] text, String reason) {
    byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, text, 0, bytes.length);
  }

  private void auto(Engine expected, String reason, boolean mayImprove) {
    EngineSelection selection = EngineSelection.of(Engine.AUTO, info);
    assertEquals(expected, selection.engine(), selection.reason());
    assertTrue(selection.reason().contains(reason), selection.reason());
    assertEquals(mayImprove, selection.mayImprove());
  }

  @Test
  void autoTakesNcqWhereItAloneBringsThePriority() {
    auto(Engine.NCQ, "supports NCQ priority", false);
  }

  @Test
  void autoLeavesItToTheKernelThatDoesIt() {
    info.ncqPrioEnabled = 1;
    auto(Engine.DIRECT, "ncq_prio_enable", false);
    info.rotational = 0;
    auto(Engine.THREAD, "zero-copy", false);
  }

  @Test
  void autoLeavesADriveWithDurationLimitsAlone() {
    info.cdlEnabled = 1;
    auto(Engine.DIRECT, "cdl_enable", false);
    assertEquals(Engine.NCQ, EngineSelection.of(Engine.NCQ, info).engine());
  }

  @Test
  void autoDoesWithoutTheHelperUntilItRuns() {
    refuse(info.ncqRefused, "helper: no such file");
    auto(Engine.DIRECT, "helper: no such file", true);
  }

  @Test
  void autoIsThreadWhereNothingElseWorks() {
    refuse(info.ncqRefused, "tmpfs has no disk");
    refuse(info.directRefused, "tmpfs is in memory");
    info.ncqPrioSupported = -1;
    info.ncqPrioEnabled = -1;
    auto(Engine.THREAD, "tmpfs is in memory", false);
  }

  @Test
  void aDriveWithoutNcqPriorityIsNoCaseForNcq() {
    info.ncqPrioSupported = 0;
    auto(Engine.DIRECT, "the drive has no NCQ priority", false);
  }

  @Test
  void whatIsWantedIsTakenOrRefusedForNow() {
    assertEquals(Engine.NCQ, EngineSelection.of(Engine.NCQ, info).engine());
    assertFalse(EngineSelection.of(Engine.DIRECT, info).mayImprove());
    refuse(info.ncqRefused, "no rights");
    EngineSelection refused = EngineSelection.of(Engine.NCQ, info);
    assertEquals(Engine.THREAD, refused.engine());
    assertEquals("ncq cannot be used: no rights", refused.reason());
    assertTrue(refused.mayImprove());
  }
}
