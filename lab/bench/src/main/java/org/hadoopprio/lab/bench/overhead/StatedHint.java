package org.hadoopprio.lab.bench.overhead;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Get;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hbase.client.IoPriorities;

/** States one priority on every operation, through the APIs that applications use. */
final class StatedHint implements Hint {

  private final IoPriority priority;

  private StatedHint(IoPriority priority) {
    this.priority = priority;
  }

  static Hint of(String priority) {
    return new StatedHint(IoPriority.parse(priority));
  }

  @Override
  public long at(Work work) throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      return work.run();
    }
  }

  @Override
  public Get on(Get get) {
    return IoPriorities.set(get, priority);
  }
}
