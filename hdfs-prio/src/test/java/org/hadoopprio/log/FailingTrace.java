// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.log;

import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** While it is open, hops are traced, or another logger's lines written, and a later one fails. */
public final class FailingTrace implements AutoCloseable {

  private final Logger log;
  private final Level levelBefore;
  private final AppenderSkeleton appender;

  private FailingTrace(String logger, AppenderSkeleton appender) {
    this.log = Logger.getLogger(logger);
    this.levelBefore = log.getLevel();
    this.appender = appender;
    log.addAppender(appender);
    log.setLevel(Level.DEBUG);
  }

  /**
   * Begins to trace.
   *
   * @param hop the number of the hop that fails, from 1
   * @param failure a RuntimeException or an Error
   */
  public static FailingTrace at(int hop, Throwable failure) {
    return of(HopTrace.LOGGER, hop, failure);
  }

  /** The same for the lines of another logger. */
  public static FailingTrace of(String logger, int hop, Throwable failure) {
    return new FailingTrace(
        logger,
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
    log.removeAppender(appender);
    log.setLevel(levelBefore);
  }
}
