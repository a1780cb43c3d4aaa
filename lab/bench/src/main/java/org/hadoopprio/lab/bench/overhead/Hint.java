package org.hadoopprio.lab.bench.overhead;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Get;

/** How a client states a priority, or does not. */
interface Hint {

  /** Work on HDFS. */
  @FunctionalInterface
  interface Work {
    long run() throws IOException;
  }

  /** Runs one operation on HDFS at the priority. */
  long at(Work work) throws IOException;

  /** Gives a Get the priority. */
  Get on(Get get);

  /** States nothing, and needs no class of this project's other modules. */
  static Hint none() {
    return new Hint() {
      @Override
      public long at(Work work) throws IOException {
        return work.run();
      }

      @Override
      public Get on(Get get) {
        return get;
      }
    };
  }
}
