// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.cluster.LocalCluster;

/** A load at work. Used by one thread. */
interface RunningLoad extends Closeable {

  /**
   * What one needs to start.
   *
   * @param daemons those that serve it
   * @param name its name in the plan
   * @param logs directory of its logs
   * @param number of the measurement, which no other one has
   * @param seed of the times at which it asks: of its own for each load, and the same for all
   *     systems of a repetition, which are compared
   * @param seconds how long is measured
   */
  record Start(
      LocalCluster cluster,
      Plan.Daemons daemons,
      String name,
      Map<String, String> parameters,
      Path logs,
      int number,
      long seed,
      int seconds) {

    /** The beginning of its files' names, used once. */
    String id() {
      return "measurement-" + number + "-" + name;
    }
  }

  /** What was run, for people. */
  default List<String> commands() {
    return List.of();
  }

  /**
   * Whether it is ready to begin.
   *
   * @throws IOException saying why it never will be
   */
  default boolean isReady() throws IOException {
    return true;
  }

  /**
   * Lets it begin.
   *
   * @param from when measuring begins, in milliseconds since the epoch
   * @param to when it ends
   */
  default void begin(long from, long to) throws IOException {}

  /**
   * Checks that it still works.
   *
   * @throws IOException saying why not
   */
  default void requireAlive() throws IOException {}

  /** What it did from one time to another; waits until all of that is known. */
  JsonNode figures(long from, long to) throws IOException;

  /** Ends it. */
  @Override
  void close() throws IOException;
}
