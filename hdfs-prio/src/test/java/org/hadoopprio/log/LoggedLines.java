// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** The lines that a class logs until this is closed. */
public final class LoggedLines implements AutoCloseable {

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger log;
  private final AppenderSkeleton appender =
      new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
          lines.add(event.getRenderedMessage());
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
          return false;
        }
      };

  private LoggedLines(Logger log) {
    this.log = log;
    log.addAppender(appender);
  }

  /** Begins with none. */
  public static LoggedLines of(Class<?> logging) {
    return new LoggedLines(Logger.getLogger(logging));
  }

  /** The same for a logger that is not named by a class. */
  public static LoggedLines of(String name) {
    return new LoggedLines(Logger.getLogger(name));
  }

  /** In the order in which they were logged. */
  public List<String> all() {
    return lines;
  }

  @Override
  public void close() {
    log.removeAppender(appender);
  }
}
