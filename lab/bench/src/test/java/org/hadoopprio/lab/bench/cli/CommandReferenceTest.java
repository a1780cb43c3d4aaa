// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * bin/lib/help holds what each command prints for {@code --help}, so that bin/hprio answers before
 * anything is built. It must match the commands in the code. After a change, write it again with
 * {@code mvn -pl lab/bench -am test -Dtest=CommandReferenceTest -Dhprio.docs.write=true}.
 */
class CommandReferenceTest {

  private static final Path DIRECTORY = Path.of("..", "..", "bin", "lib", "help");

  /** A program of its own, whose test compares its texts. */
  private static final Path VHDD = Path.of("hprio", "vhdd.txt");

  @Test
  void theHelpOfTheRepositorysCommandIsUpToDate() throws IOException {
    SortedMap<Path, String> wanted = new TreeMap<>();
    collect(wanted, Path.of(""), Hprio.commandLine());
    if (Boolean.getBoolean("hprio.docs.write")) {
      for (Path stale : texts().keySet()) {
        Files.delete(DIRECTORY.resolve(stale));
      }
      for (Map.Entry<Path, String> text : wanted.entrySet()) {
        Path file = DIRECTORY.resolve(text.getKey());
        Files.createDirectories(file.getParent());
        Files.writeString(file, text.getValue());
      }
    }
    SortedMap<Path, String> texts = texts();
    assertEquals(wanted.keySet(), texts.keySet());
    wanted.forEach((file, text) -> assertEquals(text, texts.get(file), file.toString()));
  }

  private static void collect(SortedMap<Path, String> texts, Path parent, CommandLine command) {
    Path place = parent.resolve(command.getCommandName());
    texts.put(text(place), command.getUsageMessage(Ansi.OFF));
    command.getSubcommands().values().forEach(each -> collect(texts, place, each));
  }

  private static Path text(Path place) {
    return place.resolveSibling(place.getFileName() + ".txt");
  }

  private static SortedMap<Path, String> texts() throws IOException {
    SortedMap<Path, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(DIRECTORY)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Path place = DIRECTORY.relativize(file);
        if (!place.equals(VHDD)) {
          texts.put(place, Files.readString(file));
        }
      }
    }
    return texts;
  }
}
