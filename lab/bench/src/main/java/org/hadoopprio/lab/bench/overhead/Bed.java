package org.hadoopprio.lab.bench.overhead;

import java.io.Closeable;
import java.io.IOException;
import org.hadoopprio.lab.bench.experiment.StepLog;

/** The processes of one round that are compared with each other. */
interface Bed extends Closeable {

  /** Lets all of them work until the JIT compiler has little left to do. */
  void warmUp(OverheadSettings settings, StepLog log) throws IOException;
}
