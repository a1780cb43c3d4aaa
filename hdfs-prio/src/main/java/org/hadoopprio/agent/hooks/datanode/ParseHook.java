// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.InputStream;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.ParsedPriority;

/**
 * Reads the priority when the header of an operation is parsed, on the thread that will do the
 * operation. Matched by the parameter type: {@code parseFrom} has overloads for other sources.
 */
final class ParseHook extends HookBase {

  /**
   * A hook on one operation.
   *
   * @param typeName the binary name of the operation's message
   */
  ParseHook(String name, String typeName) {
    super(name, typeName);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("parseFrom").and(isStatic()).and(takesArguments(InputStream.class));
  }

  static final class ParseAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return Message operation) {
      ParsedPriority.operationParsed(operation);
    }
  }
}
