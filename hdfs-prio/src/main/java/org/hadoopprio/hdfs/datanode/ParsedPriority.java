// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.scheduler.DiskRequest;
import org.hadoopprio.hdfs.datanode.scheduler.Volumes;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.MalformedPriorityException;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.LoggerFactory;

/**
 * The delegate of the hooks on the parsing of headers: reads the hint of an operation. An operation
 * begins right after its header is parsed, on the same thread, so that a hint never outlives its
 * operation. Thread-safe.
 */
public final class ParsedPriority {

  private static final RateLimitedLog MALFORMED_LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ParsedPriority.class));

  private ParsedPriority() {}

  /** Records what a parsed operation carries. */
  public static void operationParsed(Message operation) {
    boolean off = OffSwitch.isOff(AgentModule.DATANODE);
    DiskRequest.state(off ? Hint.NOTHING : read(operation));
  }

  private static Hint read(Message operation) {
    try {
      return PriorityField.read(operation);
    } catch (MalformedPriorityException e) {
      PriorityMetrics.MALFORMED.increment();
      MALFORMED_LOG.warn(
          () ->
              "A request carries a priority that cannot be used and is served without it: "
                  + e.getMessage());
      // An explicit none, so that no rule for requests without a priority applies.
      return Hint.of(IoPriority.NONE, null);
    }
  }

  /** What of a hint goes on to other DataNodes: nothing if this one is stock. */
  static Hint onward(Configuration conf, Hint hint) {
    return hint != Hint.NOTHING && Volumes.of(conf, null).mode().isStock() ? Hint.NOTHING : hint;
  }
}
