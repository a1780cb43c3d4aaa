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
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.ParsedPriority;

/**
 * Reads the priority when the header of an operation is parsed, on the thread that will do the
 * operation. Matched by the parameter type: {@code parseFrom} has overloads for other sources.
 */
final class ParseHook implements Hook {

  private final String name;
  private final String typeName;

  /**
   * A hook on one operation.
   *
   * @param typeName the binary name of the operation's message
   */
  ParseHook(String name, String typeName) {
    this.name = name;
    this.typeName = typeName;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String typeName() {
    return typeName;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("parseFrom").and(isStatic()).and(takesArguments(InputStream.class));
  }

  @Override
  public Class<?> advice() {
    return ParseAdvice.class;
  }

  static final class ParseAdvice {
    private ParseAdvice() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return Message operation) {
      ParsedPriority.operationParsed(operation);
    }
  }
}
