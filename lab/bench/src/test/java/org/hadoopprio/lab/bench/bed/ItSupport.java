// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.bed;

import java.nio.file.Path;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.testing.Need;

/** What the integration tests of experiments share. */
public final class ItSupport {

  /** To standard error. */
  public static final StepLog LOG =
      new StepLog() {
        @Override
        public void say(String message) {
          System.err.println(message);
        }

        @Override
        public void at(double fraction, String detail) {}
      };

  private ItSupport() {}

  /** The directory of a test's cluster. */
  public static Path directory(String test) {
    return Path.of("target", "it", test).toAbsolutePath();
  }

  /** Skips a test that needs a virtual disk where there can be none; in CI that is a failure. */
  public static void requireVirtualDisk() {
    Need.VIRTUAL_DISK.require(Vhdd.unavailable());
  }
}
