// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hadoopprio.lab.disk.SystemCommand;

/** A run whose third cell does not end, for a test that ends it with a signal. */
final class SlowExperimentMain {

  /** Printed when the third cell has begun. */
  static final String IN_THIRD_CELL = "in the third cell";

  private SlowExperimentMain() {}

  /**
   * Runs it.
   *
   * @param arguments the directory of the results, and a file that is made when the experiment has
   *     removed what it made
   */
  public static void main(String[] arguments) throws IOException {
    SampleExperiment experiment =
        new SampleExperiment() {
          @Override
          public ObjectNode run(Cell cell, StepLog log) throws IOException {
            if (measured.size() == 2) {
              System.out.println(IN_THIRD_CELL);
              SystemCommand.run("sleep", "60");
            }
            return super.run(cell, log);
          }

          @Override
          public void close() {
            try {
              // A command, because one is killed where the interrupt is still pending.
              SystemCommand.run("sleep", "0.1");
              Files.writeString(Path.of(arguments[1]), "closed");
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    new ExperimentRunner(
            experiment, Path.of(arguments[0]), Optional.of(7L), "sample", System.err, false)
        .run();
  }
}
