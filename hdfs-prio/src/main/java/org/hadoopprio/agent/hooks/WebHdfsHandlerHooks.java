// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static org.hadoopprio.off.AgentModule.DATANODE;

import io.netty.handler.codec.http.HttpRequest;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.hdfs.web.WebRequests;

/** Serves the requests of WebHDFS in a DataNode, as a client of HDFS. */
public final class WebHdfsHandlerHooks extends TypeHooks {

  private static final String WEB_HDFS_HANDLER =
      "org.apache.hadoop.hdfs.server.datanode.web.webhdfs.WebHdfsHandler";

  public WebHdfsHandlerHooks() {
    in(WEB_HDFS_HANDLER);
    hook(DATANODE, "web-request", named("handle"), "Handle");
    hook(DATANODE, "web-client", named("newDfsClient"), "NewClient");
  }

  /** A request of WebHDFS is handled, and with it the client of HDFS is made that serves it. */
  static final class Handle {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(1) HttpRequest request) {
      WebRequests.begins(request);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      WebRequests.ends();
    }
  }

  /** The client of HDFS that serves a request of WebHDFS is made. */
  static final class NewClient {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 1, readOnly = false) Configuration conf) {
      conf = WebRequests.clientConf(conf);
    }
  }
}
