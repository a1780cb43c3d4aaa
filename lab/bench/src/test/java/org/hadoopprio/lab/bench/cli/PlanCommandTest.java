// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What people state wrong about plans, and what they are told. */
class PlanCommandTest {

  private static final Path SHIPPED = Path.of("plans", "ownwork.yaml");

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Hprio.commandLine(arguments);
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }

  private void assertRefused(String message, String... arguments) {
    assertEquals(2, run(arguments), err.toString());
    assertTrue(err.toString().contains(message), err.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--systems fast | no system \"fast\"; allowed: stock, defaults",
        "--drive fast   | no setting of the drive \"fast\"; allowed: write-back, write-through",
        "--conditions x | no condition \"x\"; allowed: alone, compaction",
        "--seconds 0    | --seconds must be 1 to 3600, not 0",
        "--repeat 0     | --repeat must be 1 or more, not 0"
      })
  void anOptionThatThePlanDoesNotAllowIsRefused(String option, String message) {
    assertRefused(message, ("bench ownwork " + option).split(" "));
    assertRefused(message, ("bench " + SHIPPED + " " + option).split(" "));
  }

  @Test
  void aFileThatThereIsNotIsRefused() {
    assertRefused("there is no file my.yaml", "bench", "my.yaml", "--quick");
    assertRefused("sideways", "bench", "sideways");
  }

  @Test
  void aBrokenFileIsRefusedWithTheLine() throws IOException {
    Path file = directory.resolve("my.yaml");
    String text = Files.readString(SHIPPED).replace("cluster:", "clutter:");
    Files.writeString(file, text);
    int line = 1 + (int) text.lines().takeWhile(each -> !each.startsWith("clutter")).count();
    assertRefused(
        file + ":" + line + ": no key \"clutter\"; allowed: title, about, repetitions, cluster",
        "bench",
        file.toString());
  }

  @Test
  void plansOfASubjectAreTold() {
    assertRefused("a plan is required", "bench", "latency");
    assertTrue(err.toString().contains("multigets"), err.toString());
    assertEquals(0, run("bench", "latency", "outputs", "--help"));
    assertTrue(out.toString().contains("Systems: own-deadlines, containers."), out.toString());
  }
}
