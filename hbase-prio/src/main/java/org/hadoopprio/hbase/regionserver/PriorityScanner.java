// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.role.WorkScope;

/**
 * A scanner whose reads have a priority. Like the scanner inside, it is used by one caller at a
 * time.
 *
 * @param <S> the type of the scanner inside
 */
class PriorityScanner<S extends InternalScanner> implements InternalScanner, Shipper {

  final S scanner;
  private final Supplier<IoPriority> priority;

  /**
   * Wraps a scanner.
   *
   * @param priority is asked at each step; null for none of its own
   */
  PriorityScanner(S scanner, Supplier<IoPriority> priority) {
    this.scanner = scanner;
    this.priority = priority;
  }

  /** Null if the scan has no priority of its own now; then its call's sources decide. */
  final PriorityScope openScope() {
    IoPriority now = null;
    try {
      now = priority.get();
    } catch (RuntimeException | LinkageError e) {
      // A call that ends with another exception than an IOException loses the scan.
      HintProblems.failed(e);
    }
    return WorkScope.open(now);
  }

  @Override
  public final boolean next(List<Cell> result) throws IOException {
    try (PriorityScope scope = openScope()) {
      return scanner.next(result);
    }
  }

  @Override
  public final boolean next(List<Cell> result, ScannerContext context) throws IOException {
    try (PriorityScope scope = openScope()) {
      return scanner.next(result, context);
    }
  }

  @Override
  public final void shipped() throws IOException {
    if (scanner instanceof Shipper) {
      try (PriorityScope scope = openScope()) {
        ((Shipper) scanner).shipped();
      }
    }
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
