// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.hadoopprio.tools.node.Host;

/**
 * A host's files from a resource: {@code PATH = TEXT} is a file (with \n, \t and \0 in it), {@code
 * PATH -> TARGET} a symbolic link, # a comment.
 */
final class HostTree {

  private HostTree() {}

  static Host unpack(String resource, Path root) throws IOException {
    try (InputStream in = HostTree.class.getResourceAsStream(resource)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().collect(Collectors.toList())) {
        unpackLine(line, root);
      }
    }
    return new Host(root);
  }

  private static void unpackLine(String line, Path root) throws IOException {
    String[] link = line.split(" -> ", 2);
    String[] file = line.split(" = ", 2);
    if (line.startsWith("#")) {
      return;
    }
    Path path = root.resolve((link.length == 2 ? link[0] : file[0]).substring(1));
    Files.createDirectories(path.getParent());
    if (link.length == 2) {
      Files.deleteIfExists(path);
      Files.createSymbolicLink(path, Path.of(link[1]));
    } else {
      // Keep mountinfo's escapes, such as \040.
      String text =
          file[1].replace("\\n", "\n").replace("\\t", "\t").replaceAll("\\\\0(?![0-7])", "\0");
      Files.writeString(path, text);
    }
  }
}
