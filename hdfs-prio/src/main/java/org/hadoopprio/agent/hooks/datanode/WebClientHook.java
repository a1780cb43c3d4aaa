// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.web.WebRequests;

/** The client of HDFS that serves a request of WebHDFS is made. */
final class WebClientHook extends HookBase {

  WebClientHook() {
    super("web-client", HadoopTypes.WEB_HDFS_HANDLER);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("newDfsClient").and(takesArgument(1, Configuration.class));
  }

  static final class WebClientAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 1, readOnly = false) Configuration conf) {
      conf = WebRequests.clientConf(conf);
    }
  }
}
