package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/**
 * A readahead pool thread takes each request's priority. It is set at every start and not restored
 * at the end: a pool thread inherits the priority of whoever made the pool grow, so only what is
 * set explicitly can be relied on.
 */
final class ReadaheadRunHook implements Hook {

  @Override
  public String name() {
    return "readahead-run";
  }

  @Override
  public String typeName() {
    return ReadaheadRequestHook.TYPE;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("run").and(takesNoArguments());
  }

  @Override
  public Class<?> advice() {
    return ReadaheadRunAdvice.class;
  }

  static final class ReadaheadRunAdvice {
    private ReadaheadRunAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object request) {
      DataNodeReads.readaheadRuns(request);
    }
  }
}
