package org.hadoopprio;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line per hop a prioritised (or plain) request passes, for {@code hprio trace} and for an
 * operator who asks where a priority was lost.
 *
 * <p>Off unless the logger {@value #LOGGER} is at DEBUG, which Hadoop's and HBase's log-level page
 * ({@code hadoop daemonlog -setlevel}) changes in a running daemon.
 */
public final class HopTrace {

  /** The logger's name. */
  public static final String LOGGER = "org.hadoopprio.trace";

  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

  private HopTrace() {}

  /** Whether hops are written; ask before building a detail. */
  public static boolean isOn() {
    return LOG.isDebugEnabled();
  }

  /**
   * Writes one hop.
   *
   * @param hop where: {@code hbase-client}, {@code regionserver-rpc}, {@code regionserver-op},
   *     {@code hdfs-client}, {@code datanode}, {@code thread}
   * @param priority what was seen there; null for none stated
   * @param detail what tells this request from others
   */
  public static void hop(String hop, IoPriority priority, String detail) {
    LOG.debug("hop={} priority={} {}", hop, priority == null ? IoPriority.NONE : priority, detail);
  }
}
