package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.role.WorkScope;

/**
 * A DataXceiver computes the checksum of an erasure-coded block group: it asks the DataNodes that
 * have the blocks, and reads nothing itself.
 */
final class DataXceiverGroupChecksumHook implements Hook {

  @Override
  public String name() {
    return "group-checksum";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DATA_XCEIVER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("blockGroupChecksum");
  }

  @Override
  public Class<?> advice() {
    return DataXceiverGroupChecksumAdvice.class;
  }

  static final class DataXceiverGroupChecksumAdvice {
    private DataXceiverGroupChecksumAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return DataNodeReads.groupChecksumBegins();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
