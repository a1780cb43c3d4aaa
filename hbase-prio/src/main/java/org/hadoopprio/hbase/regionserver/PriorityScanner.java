package org.hadoopprio.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;

/**
 * A scanner that does all its reads at one priority. Like the scanner inside, it is used by one
 * caller at a time.
 *
 * @param <S> the type of the scanner inside
 */
class PriorityScanner<S extends InternalScanner> implements InternalScanner, Shipper {

  final S scanner;
  final IoPriority priority;

  PriorityScanner(S scanner, IoPriority priority) {
    this.scanner = scanner;
    this.priority = priority;
  }

  @Override
  public final boolean next(List<Cell> result) throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      return scanner.next(result);
    }
  }

  @Override
  public final boolean next(List<Cell> result, ScannerContext context) throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      return scanner.next(result, context);
    }
  }

  @Override
  public final void shipped() throws IOException {
    if (scanner instanceof Shipper) {
      try (PriorityScope scope = PriorityScope.open(priority)) {
        ((Shipper) scanner).shipped();
      }
    }
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
