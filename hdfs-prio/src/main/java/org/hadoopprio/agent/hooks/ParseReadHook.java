package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.InputStream;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/** Reads the priority where a read's header is parsed, on the thread that will do the read. */
final class ParseReadHook implements Hook {

  @Override
  public String name() {
    return "parse";
  }

  @Override
  public String typeName() {
    return "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$OpReadBlockProto";
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
      DataNodeReads.parsed(operation);
    }
  }
}
