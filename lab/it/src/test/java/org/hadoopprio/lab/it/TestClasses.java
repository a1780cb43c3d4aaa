// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where classes are, for client JVMs that run one of their mains. */
final class TestClasses {

  private TestClasses() {}

  /** Of the tests themselves. */
  static Path directory() {
    return directory(TestClasses.class);
  }

  /** Of the module or jar that a class is from. */
  static Path directory(Class<?> any) {
    try {
      return Path.of(any.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
