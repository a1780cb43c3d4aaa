// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.testing;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.AssertionFailedError;

/**
 * What a test may need and a machine may lack: the only way to skip a test. A skipped test says
 * {@code needs WHAT: DETAIL}, by which {@code bin/hprio verify} finds out whether this machine has
 * it after all; {@code bin/lib/verify_report.py} knows the same words. In continuous integration,
 * where the environment has {@code CI=true}, nothing is skipped: what is missing fails the test.
 */
public enum Need {
  ROOT("root"),
  /** The detail is the program's name. */
  PROGRAM("the program"),
  /** The detail is the file's path. */
  FILE("the file"),
  /** {@code ioprio_set(2)} and its numbers. */
  THREAD_PRIORITIES("priorities of threads"),
  BLOCK_DEVICE("a working directory on a block device"),
  /** For sockets of the file system. */
  LIBHADOOP("libhadoop"),
  /** With priorities, from Linux 6.11. */
  BLOCK_TRACE("a block trace"),
  VIRTUAL_DISK("a virtual disk"),
  MEMORY_GROUP("a memory control group"),
  LOCKED_MEMORY("memory that may be locked"),
  /** From Linux 6.5. */
  CACHESTAT("cachestat"),
  MEMORY_FILES("/dev/shm in memory"),
  /** What {@code dist/test} starts; the detail is what it says. */
  CONTAINER("a container");

  private final String what;

  Need(String what) {
    this.what = what;
  }

  /**
   * Skips the test if something is missing.
   *
   * @param detail more words on what is missing; may be empty
   * @throws AssertionFailedError in continuous integration instead
   */
  public void require(boolean there, String detail) {
    if (!there) {
      missing(detail, null);
    }
  }

  /** The same for what is missing if there is a reason. */
  public void require(Optional<String> whyMissing) {
    whyMissing.ifPresent(why -> missing(why, null));
  }

  /**
   * Skips the test.
   *
   * @param cause null if there is none
   * @throws AssertionFailedError in continuous integration instead
   */
  public void missing(String detail, Throwable cause) {
    missing(detail, cause, System.getenv());
  }

  void missing(String detail, Throwable cause, Map<String, String> environment) {
    String said = "needs " + what + (detail.isEmpty() ? "" : ": " + detail);
    if (Boolean.parseBoolean(environment.get("CI"))) {
      throw new AssertionFailedError(said + "; with CI=true nothing may be missing", cause);
    }
    Assumptions.abort(said);
  }
}
