// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchDeviceCommandTest {

  private final StringWriter printed = new StringWriter();

  private int run(String... options) {
    CommandLine command = Hprio.commandLine();
    command.setOut(new PrintWriter(printed));
    command.setErr(new PrintWriter(printed));
    String[] words = new String[options.length + 2];
    words[0] = "bench";
    words[1] = "device";
    System.arraycopy(options, 0, words, 2, options.length);
    return command.execute(words);
  }

  @Test
  void oneDriveIsVariedAndAllAreMeasured() {
    assertEquals(2, run("--drive=cdltools23"));
    assertTrue(
        printed.toString().contains("--drive=cdltools23: allowed with --sensitivity only"),
        printed.toString());
    assertEquals(2, run("--sensitivity", "--drive=floppy"));
    assertTrue(printed.toString().contains("SDC21, CDLTOOLS23"), printed.toString());
  }

  @Test
  void aRangeIsOfTheDriveThatIsVaried() {
    assertEquals(2, run("--range=a=1..2"));
    assertTrue(printed.toString().contains("--range=a=1..2: allowed with"), printed.toString());
  }
}
