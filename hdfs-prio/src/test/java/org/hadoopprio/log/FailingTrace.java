// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.log;

import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** While it is open, hops are traced, and a later one fails, as a log's disk may. */
public final class FailingTrace implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(HopTrace.LOGGER);

  private final Level levelBefore = LOG.getLevel();
  private final AppenderSkeleton appender;

  private FailingTrace(AppenderSkeleton appender) {
    this.appender = appender;
    LOG.addAppender(appender);
    LOG.setLevel(Level.DEBUG);
  }

  /**
   * Begins to trace.
   *
   * @param hop the number of the hop that fails, from 1
   * @param failure a RuntimeException or an Error
   */
  public static FailingTrace at(int hop, Throwable failure) {
    return new FailingTrace(
        new AppenderSkeleton() {
          private int hops;

          @Override
          protected void append(LoggingEvent event) {
            hops++;
            if (hops == hop) {
              if (failure instanceof Error) {
                throw (Error) failure;
              }
              throw (RuntimeException) failure;
            }
          }

          @Override
          public void close() {}

          @Override
          public boolean requiresLayout() {
            return false;
          }
        });
  }

  @Override
  public void close() {
    LOG.removeAppender(appender);
    LOG.setLevel(levelBefore);
  }
}
