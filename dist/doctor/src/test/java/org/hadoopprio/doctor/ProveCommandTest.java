// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What is not allowed; ProveIT of lab/it has the rest. */
class ProveCommandTest {

  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new ProveCommand())
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "--priority, rt:9, 'I/O priority \"rt:9\" is not allowed; allowed: '",
    "--priority, none, 'allowed: rt, be and idle'",
    "--conf, /proc, '/proc has none of core-site.xml'"
  })
  void anOptionThatIsNotAllowedIsRefused(String option, String value, String said) {
    assertEquals(2, run("t", "r", option, value));
    assertTrue(err.toString().contains(option) && err.toString().contains(said), err.toString());
  }

  @Test
  void aTableIsNamedAsInHBase() {
    assertEquals(2, run("a b", "r"));
    assertTrue(err.toString().contains("TABLE = a b: "), err.toString());
  }

  @Test
  void tableAndRowAreRequired() {
    assertEquals(2, run("t"));
    assertTrue(err.toString().contains("ROW"), err.toString());
  }
}
