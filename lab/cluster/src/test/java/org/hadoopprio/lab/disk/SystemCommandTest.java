// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SystemCommandTest {

  @Test
  void givesTheOutput() throws IOException {
    assertEquals("a\nb", SystemCommand.run("printf", "a\\nb\\n"));
  }

  @Test
  void namesTheCommandItsCodeAndItsOutputOnFailure() {
    IOException failure =
        assertThrows(
            IOException.class, () -> SystemCommand.run("sh", "-c", "echo no room >&2; exit 3"));
    assertTrue(failure.getMessage().contains("ended with 3: no room"), failure.getMessage());
    assertTrue(failure.getMessage().contains("sh -c"), failure.getMessage());
  }

  @Test
  void namesAProgramThatIsMissing() {
    IOException failure =
        assertThrows(IOException.class, () -> SystemCommand.run("no-such-program", "x"));
    assertTrue(failure.getMessage().contains("no-such-program installed"), failure.getMessage());
  }
}
