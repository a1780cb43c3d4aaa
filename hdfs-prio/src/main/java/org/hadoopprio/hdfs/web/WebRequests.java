// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.web;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.client.ClientKeys;
import org.hadoopprio.hdfs.datanode.DataNodeWork;
import org.hadoopprio.hdfs.datanode.scheduler.DiskRequest;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * The delegate of the hooks on a DataNode's WebHDFS, which is a client of HDFS with a DFSClient for
 * each request: the request's priority is that client's default. What a DataNode grants to it is
 * decided where the block is, as for any client. Thread-safe.
 *
 * <p>{@link #begins} and {@link #ends} are called around the handling of a request, {@link
 * #clientConf} between them on the same thread.
 */
public final class WebRequests {

  /** The parameter of the URL that states a priority in text form. */
  public static final String PARAMETER = "io.priority";

  /** The header that does so in a request without the parameter. */
  public static final String HEADER = "X-IO-Priority";

  private static final RateLimitedLog MALFORMED_LOG =
      new RateLimitedLog(LoggerFactory.getLogger(WebRequests.class));

  private WebRequests() {}

  /** The calling thread begins to handle a request. */
  public static void begins(HttpRequest request) {
    List<String> values = new QueryStringDecoder(request.uri()).parameters().get(PARAMETER);
    String text = values == null ? request.headers().get(HEADER) : values.get(0);
    if (text == null) {
      return;
    }
    try {
      DiskRequest.state(Hint.of(IoPriority.parse(text), null));
    } catch (IllegalArgumentException e) {
      PriorityMetrics.MALFORMED.increment();
      MALFORMED_LOG.warn(
          () ->
              (values == null ? "Header " + HEADER : "Parameter " + PARAMETER)
                  + " of a request of WebHDFS, which is served at the normal priority: "
                  + e.getMessage());
      DiskRequest.state(Hint.of(IoPriority.NONE, null));
    }
  }

  /**
   * The configuration for the client that serves the request of the calling thread. That client
   * does not read by short circuit: it would read with the rights of the DataNode and past its
   * policy, which may limit who states nothing, too. Where all volumes have mode {@code off} or
   * {@code observe} every request is stock's.
   *
   * @param conf need not be the DataNode's: the web server has a copy for the writing of files
   */
  public static Configuration clientConf(Configuration conf) {
    IoPriority stated = DiskRequest.stated().priority();
    if (DataNodeWork.isDataNodeStock() || (stated == null && !mayReadLocally(conf))) {
      return conf;
    }
    Configuration own = new Configuration(conf);
    own.setBoolean(HdfsClientConfigKeys.Read.ShortCircuit.KEY, false);
    if (stated != null) {
      own.set(ClientKeys.PRIORITY.name(), stated.toString());
    }
    return own;
  }

  private static boolean mayReadLocally(Configuration conf) {
    return conf.getBoolean(
        HdfsClientConfigKeys.Read.ShortCircuit.KEY, HdfsClientConfigKeys.Read.ShortCircuit.DEFAULT);
  }

  /** The calling thread has handled its request; the client goes on to serve it. */
  public static void ends() {
    DiskRequest.takeStated();
  }
}
