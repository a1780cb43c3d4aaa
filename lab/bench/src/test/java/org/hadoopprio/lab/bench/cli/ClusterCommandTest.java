// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What people type wrong, and what they are told. */
class ClusterCommandTest {

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Hprio.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }

  private void assertRefused(String message, String... arguments) {
    assertEquals(2, run(arguments), err.toString());
    assertTrue(err.toString().contains(message), err.toString());
  }

  @Test
  void tellsItsVersion() {
    assertEquals(0, run("cluster", "up", "--version"));
    assertTrue(out.toString().matches("hprio \\d+\\.\\d+\\.\\d+.*\\R"), out.toString());
  }

  @Test
  void wantsACommand() {
    assertRefused("a command is required");
  }

  @Test
  void wantsACommandOfTheCluster() {
    assertRefused("up, down or status", "cluster");
  }

  @Test
  void refusesUnknownCommands() {
    assertRefused("sideways", "cluster", "sideways");
  }

  @Test
  void refusesTooFewDataNodes() {
    assertRefused("--datanodes must be 1 to 16, not 0", "cluster", "up", "--datanodes", "0");
  }

  @Test
  void refusesTooManyDataNodes() {
    assertRefused("--datanodes must be 1 to 16, not 17", "cluster", "up", "--datanodes", "17");
  }

  @Test
  void refusesWordsForNumbers() {
    assertRefused("'two'", "cluster", "up", "--datanodes", "two");
  }

  @Test
  void refusesUnknownKindsOfDisks() {
    assertRefused("[AUTO, LOOP, DIR]", "cluster", "up", "--disk", "floppy");
  }

  @Test
  void saysThatThereIsNoClusterToShow() {
    assertEquals(1, run("cluster", "status", "--dir", directory.toString()));
    assertTrue(err.toString().contains("there is no cluster in " + directory), err.toString());
  }

  @Test
  void hasNothingToStop() throws Exception {
    assertEquals(0, run("cluster", "down", "--dir", directory.toString()));
    assertTrue(out.toString().contains("there is no cluster in " + directory), out.toString());
    assertEquals(0, directory.toFile().list().length);
  }
}
