package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.rpc.ServedCalls;

/**
 * {@code update_config} of the HBase shell. HBase tells region coprocessors nothing of it, and
 * whoever it does tell cannot answer that something is wrong: it goes to the log only.
 */
final class UpdateConfigHook implements Hook {

  @Override
  public String name() {
    return "update-config";
  }

  @Override
  public String typeName() {
    return "org.apache.hadoop.hbase.conf.ConfigurationManager";
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("notifyAllObservers").and(takesArguments(Configuration.class));
  }

  @Override
  public Class<?> advice() {
    return UpdateConfigAdvice.class;
  }

  static final class UpdateConfigAdvice {
    private UpdateConfigAdvice() {}

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Argument(0) Configuration conf,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      if (failure == null) {
        failure = ServedCalls.reconfigured(conf);
      }
    }
  }
}
