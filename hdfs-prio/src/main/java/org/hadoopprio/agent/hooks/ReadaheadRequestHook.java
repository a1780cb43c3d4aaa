package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isSynthetic;
import static net.bytebuddy.matcher.ElementMatchers.not;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/**
 * With libhadoop most bytes of a streaming read are issued by the readahead pool, so its requests
 * remember the priority of the read that made them.
 */
final class ReadaheadRequestHook implements Hook {

  static final String TYPE = "org.apache.hadoop.io.ReadaheadPool$ReadaheadRequestImpl";

  @Override
  public String name() {
    return "readahead-request";
  }

  @Override
  public String typeName() {
    return TYPE;
  }

  /** Without the synthetic one through which code compiled for Java 8 reaches a private class. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return isConstructor().and(not(isSynthetic()));
  }

  @Override
  public Class<?> advice() {
    return ReadaheadRequestAdvice.class;
  }

  static final class ReadaheadRequestAdvice {
    private ReadaheadRequestAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object request) {
      DataNodeReads.readaheadMade(request);
    }
  }
}
