// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class NeedTest {

  private static String said(Class<? extends Throwable> type, String... environment) {
    Map<String, String> all = environment.length == 0 ? Map.of() : Map.of("CI", environment[0]);
    return assertThrows(type, () -> Need.PROGRAM.missing("fio", null, all)).getMessage();
  }

  @Test
  void aTestIsSkippedAndSaysWhatIsMissing() {
    assertEquals("needs the program: fio", said(TestAbortedException.class));
    assertEquals("needs the program: fio", said(TestAbortedException.class, "false"));
  }

  @Test
  void inContinuousIntegrationItFails() {
    Exception cause = new Exception();
    AssertionFailedError failed =
        assertThrows(
            AssertionFailedError.class, () -> Need.ROOT.missing("", cause, Map.of("CI", "true")));
    assertEquals("needs root; with CI=true nothing may be missing", failed.getMessage());
    assertSame(cause, failed.getCause());
  }

  @Test
  void whatIsThereSkipsNothing() {
    Need.ROOT.require(true, "");
    Need.VIRTUAL_DISK.require(Optional.empty());
  }
}
