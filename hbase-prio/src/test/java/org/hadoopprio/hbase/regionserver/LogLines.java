// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.spi.LoggingEvent;

/** Keeps the lines of a logger that it is an appender of. */
final class LogLines extends AppenderSkeleton {

  private final List<String> written = new CopyOnWriteArrayList<>();

  /** In the order in which they were logged. */
  List<String> written() {
    return written;
  }

  @Override
  protected void append(LoggingEvent event) {
    written.add(event.getRenderedMessage());
  }

  @Override
  public void close() {}

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
