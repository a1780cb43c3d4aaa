// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Properties;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.disk.ReadAhead;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ReadAheadOptionTest {

  private static final String KERNEL = "os.version";

  private final StringWriter err = new StringWriter();
  private final Properties before = new Properties();

  @BeforeEach
  void keepProperties() {
    before.putAll(System.getProperties());
    System.clearProperty(ReadAhead.PROPERTY);
  }

  @AfterEach
  void restoreProperties() {
    System.setProperties(before);
  }

  private void assertRefused(String message, String... arguments) {
    CommandLine command = Hprio.commandLine();
    command.setErr(new PrintWriter(err, true));
    assertEquals(2, command.execute(arguments), err.toString());
    assertTrue(err.toString().contains(message), err.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "bench mixed", "bench starvation"})
  void refusesWhatIsNone(String command) {
    String[] words = (command + " --read-ahead 8M").split(" ");
    assertRefused("--read-ahead: no read-ahead \"8M\"; allowed: old (128 KiB), new (8192)", words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "bench mixed",
        "bench starvation",
        "bench ownwork",
        "bench latency outputs"
      })
  void aKernelOfUnknownVersionNeedsIt(String command) {
    System.setProperty(KERNEL, "rolling");
    assertRefused("this kernel's version \"rolling\"", command.split(" "));
    assertTrue(err.toString().contains("--read-ahead"), err.toString());
  }

  /** So runs with different ones are not mixed. */
  @Test
  void resultsHaveADirectoryOfTheirOwn() throws Exception {
    System.setProperty(Installation.HOME_PROPERTY, "home");
    BenchOptions options = new BenchOptions();
    options.named("mixed");
    assertEquals(Path.of("home/.hprio/bench/mixed"), options.directory());
    Hprio.commandLine().parseArgs("bench", "mixed", "--read-ahead=old");
    assertEquals(Path.of("home/.hprio/bench/mixed-read-ahead-128"), options.directory());
  }
}
