// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonLogTest {

  private static final String ABORTS = "ERROR ***** ABORTING region server a: IOE in log roller";

  @TempDir private Path directory;

  @Test
  void whyADaemonAbortedStandsBeforeTheEndOfItsLog() throws IOException {
    Path log = directory.resolve("log");
    Path output = directory.resolve("out");
    String later = "ERROR Memstore data size is 78\n".repeat(25);
    Files.writeString(
        log,
        "ERROR ***** ABORTING before\nstarts\n"
            + ABORTS
            + "\nIOException: full\n\tat A.b\n"
            + later);
    Files.writeString(output, "Picked up options\n");
    List<String> end = DaemonLog.end(log, output);
    assertEquals(List.of(ABORTS, "IOException: full"), end.subList(0, 2));
    assertEquals(2 + 25 + 1, end.size());
    assertEquals("Picked up options", end.get(27));
  }

  @Test
  void ofADaemonThatLoggedNothingThereIsNothing() throws IOException {
    Path none = directory.resolve("none");
    assertEquals(List.of(), DaemonLog.end(none, none));
  }
}
