// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * bin/lib/help.txt holds what each command prints for {@code --help}, so that bin/hprio answers
 * before anything is built. After a change, write it again with {@code mvn -pl lab/bench -am test
 * -Dtest=CommandReferenceTest -Dhprio.docs.write=true}.
 */
class CommandReferenceTest {

  private static final Path FILE = Path.of("..", "..", "bin", "lib", "help.txt");

  @Test
  void theHelpOfTheRepositorysCommandIsUpToDate() throws IOException {
    StringBuilder wanted = new StringBuilder();
    collect(wanted, "", Hprio.commandLine());
    if (Boolean.getBoolean("hprio.docs.write")) {
      Files.writeString(FILE, wanted);
    }
    assertEquals(wanted.toString(), Files.readString(FILE));
  }

  private static void collect(StringBuilder text, String parent, CommandLine command) {
    String words = parent + command.getCommandName();
    text.append("== ").append(words).append('\n').append(command.getUsageMessage(Ansi.OFF));
    command.getSubcommands().values().forEach(each -> collect(text, words + " ", each));
  }
}
