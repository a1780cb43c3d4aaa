package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.InputStream;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/**
 * Reads the priority when the header of a read is parsed, on the thread that will do the read.
 * Matched by the parameter type: {@code parseFrom} has overloads for other sources.
 */
final class ParseReadHook implements Hook {

  @Override
  public String name() {
    return "parse";
  }

  @Override
  public String typeName() {
    return HadoopTypes.OP_READ_BLOCK;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("parseFrom").and(isStatic()).and(takesArguments(InputStream.class));
  }

  @Override
  public Class<?> advice() {
    return ParseReadAdvice.class;
  }

  static final class ParseReadAdvice {
    private ParseReadAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return Message operation) {
      DataNodeReads.operationParsed(operation);
    }
  }
}
