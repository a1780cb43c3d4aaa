package org.hadoopprio.lab.bench.overhead;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Get;

/** A hint that is stated or not, for a comparison within one process. For use by one thread. */
final class SwitchedHint implements Hint {

  private final Hint stated;
  private Hint present;

  /** Stated until something else is said. */
  SwitchedHint(Hint stated) {
    this.stated = stated;
    this.present = stated;
  }

  void state(boolean on) {
    present = on ? stated : Hint.none();
  }

  @Override
  public long at(Work work) throws IOException {
    return present.at(work);
  }

  @Override
  public Get on(Get get) {
    return present.on(get);
  }
}
