// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

/**
 * The work of a coprocessor's hooks. By default, HBase aborts the RegionServer at any other
 * exception of a coprocessor than an IOException ({@code hbase.coprocessor.abortonerror}); a
 * mistake of ours must cost no more than a priority.
 */
final class Guarded {

  private Guarded() {}

  /** A hook's work. An IOException is meant for the client. */
  @FunctionalInterface
  interface Step<E extends Exception> {
    void run() throws E;
  }

  /** A hook's work that makes something. */
  @FunctionalInterface
  interface Making<T, E extends Exception> {
    T make() throws E;
  }

  /** Does a hook's work. */
  static <E extends Exception> void run(Step<E> step) throws E {
    make(
        null,
        () -> {
          step.run();
          return null;
        });
  }

  /**
   * Does a hook's work.
   *
   * @param otherwise what the hook returns if its work fails
   */
  static <T, E extends Exception> T make(T otherwise, Making<T, E> work) throws E {
    try {
      return work.make();
    } catch (RuntimeException | LinkageError e) {
      HintProblems.failed(e);
      return otherwise;
    }
  }
}
