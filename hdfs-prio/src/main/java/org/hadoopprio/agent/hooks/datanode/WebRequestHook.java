// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import io.netty.handler.codec.http.HttpRequest;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.web.WebRequests;

/** A request of WebHDFS is handled, and with it the client of HDFS is made that serves it. */
final class WebRequestHook implements Hook {

  @Override
  public String name() {
    return "web-request";
  }

  @Override
  public String typeName() {
    return HadoopTypes.WEB_HDFS_HANDLER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("handle").and(takesArgument(1, named(HadoopTypes.HTTP_REQUEST)));
  }

  @Override
  public Class<?> advice() {
    return WebRequestAdvice.class;
  }

  static final class WebRequestAdvice {
    private WebRequestAdvice() {}

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
