// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import io.netty.handler.codec.http.HttpRequest;
import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.web.WebRequests;

/** A request of WebHDFS is handled, and with it the client of HDFS is made that serves it. */
final class WebRequestHook extends HookBase {

  WebRequestHook() {
    super(
        "web-request",
        HadoopTypes.WEB_HDFS_HANDLER,
        named("handle").and(takesArgument(1, named(HadoopTypes.HTTP_REQUEST))));
  }

  static final class WebRequestAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(1) HttpRequest request) {
      WebRequests.begins(request);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      WebRequests.ends();
    }
  }
}
