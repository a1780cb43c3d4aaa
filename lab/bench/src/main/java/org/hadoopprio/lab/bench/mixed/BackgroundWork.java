// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

/** Background that is at work. Used by one thread. */
interface BackgroundWork extends Closeable {

  /** No background. */
  BackgroundWork NONE =
      new BackgroundWork() {
        @Override
        public List<String> commands() {
          return List.of();
        }

        @Override
        public void requireAlive() {}

        @Override
        public OptionalDouble bytesPerSecond(long fromMillis, long toMillis) {
          return OptionalDouble.of(0);
        }

        @Override
        public OptionalDouble longestWaitMillis(long fromMillis, long toMillis) {
          return OptionalDouble.empty();
        }

        @Override
        public void close() {}
      };

  /** What was run, for people. */
  List<String> commands();

  /**
   * Checks that it still works.
   *
   * @throws IOException saying why not
   */
  void requireAlive() throws IOException;

  /** What it has read in a window; empty where only the disk knows. */
  OptionalDouble bytesPerSecond(long fromMillis, long toMillis);

  /** The longest wait of one of its reads; empty where that is not known. */
  OptionalDouble longestWaitMillis(long fromMillis, long toMillis);

  /** Ends it and waits until it is gone. */
  @Override
  void close() throws IOException;
}
