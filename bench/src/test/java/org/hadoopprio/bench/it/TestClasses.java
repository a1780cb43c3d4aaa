package org.hadoopprio.bench.it;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where the tests' own classes are, for client JVMs that run one of their mains. */
final class TestClasses {

  private TestClasses() {}

  static Path directory() {
    try {
      return Path.of(TestClasses.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
