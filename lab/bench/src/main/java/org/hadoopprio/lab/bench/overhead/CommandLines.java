package org.hadoopprio.lab.bench.overhead;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Command lines for people. */
final class CommandLines {

  private CommandLines() {}

  /** The command in one line; jars of one directory in the class path become {@code dir/*}. */
  static String shorten(List<String> command) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < command.size(); i++) {
      boolean classPath = i > 0 && command.get(i - 1).equals("-cp");
      words.add(classPath ? shortenClassPath(command.get(i)) : command.get(i));
    }
    return String.join(" ", words);
  }

  private static String shortenClassPath(String classPath) {
    Set<String> entries = new LinkedHashSet<>();
    for (String entry : classPath.split(":", -1)) {
      entries.add(entry.endsWith(".jar") ? Path.of(entry).resolveSibling("*").toString() : entry);
    }
    return "'" + String.join(":", entries) + "'";
  }
}
