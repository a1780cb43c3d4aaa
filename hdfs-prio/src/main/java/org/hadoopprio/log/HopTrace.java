// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.log;

import org.hadoopprio.IoPriority;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line for each hop of a request, for an operator who wants to know where a priority was
 * lost. Thread-safe.
 *
 * <p>Off unless the level of the logger {@value #LOGGER} is DEBUG, which can be set in a running
 * daemon with {@code hadoop daemonlog -setlevel}.
 */
public final class HopTrace {

  /** The logger's name. */
  public static final String LOGGER = "org.hadoopprio.trace";

  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

  private HopTrace() {}

  /** Whether hops are logged; check before building a detail. */
  public static boolean isOn() {
    return LOG.isDebugEnabled();
  }

  /**
   * Logs one hop.
   *
   * @param hop where: {@code hbase-client}, {@code regionserver-rpc}, {@code regionserver-op},
   *     {@code hdfs-client}, {@code datanode}, {@code thread}
   * @param priority the priority seen there; null if none is stated
   * @param detail what distinguishes this request from others
   */
  public static void hop(String hop, IoPriority priority, String detail) {
    LOG.debug("hop={} priority={} {}", hop, priority == null ? IoPriority.NONE : priority, detail);
  }
}
