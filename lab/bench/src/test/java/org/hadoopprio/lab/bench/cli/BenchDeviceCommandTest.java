// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchDeviceCommandTest {

  @TempDir private Path out;
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
  void nvmeNeedsNeitherRootNorADisk() throws IOException {
    assertEquals(0, run("--nvme", "--quick", "--out", out.toString()), printed.toString());
    assertTrue(printed.toString().contains("bench device-nvme: passed"), printed.toString());
    JsonNode result = new ObjectMapper().readTree(out.resolve("result.json").toFile());
    assertEquals("bin/hprio bench device --nvme --quick", result.path("command").asText());
    assertEquals(30, result.path("cells").size());
    for (String file : new String[] {"nvme-shares.png", "nvme-gets.png", "report.md"}) {
      assertTrue(Files.size(out.resolve(file)) > 1000, file);
    }
  }

  @Test
  void whatRunsInVirtualTimeIsOneOrTheOther() {
    assertEquals(2, run("--nvme", "--sensitivity"));
    assertTrue(printed.toString().contains("--nvme: not allowed with"), printed.toString());
    assertEquals(2, run("--nvme", "--range=a=1..2"));
    assertTrue(printed.toString().contains("--range=a=1..2: allowed with"), printed.toString());
  }
}
