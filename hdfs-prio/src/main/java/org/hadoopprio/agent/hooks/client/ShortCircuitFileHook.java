// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ShortCircuitReads;

/**
 * A short-circuit read reaches the block's file: its buffer could not serve it. If the data is not
 * in the page cache, it waits for its turn. BlockReaderLocal takes a short read as any other and
 * reads the rest by another call. If the DataNode says that it would be late, the stream reads
 * another replica.
 */
final class ShortCircuitFileHook extends HookBase {

  ShortCircuitFileHook() {
    super("short-circuit-file", HadoopTypes.BLOCK_READER_IO_PROVIDER);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("read")
        .and(takesArguments(3))
        .and(takesArgument(0, FileChannel.class))
        .and(takesArgument(1, ByteBuffer.class))
        .and(takesArgument(2, long.class));
  }

  static final class ShortCircuitFileAdvice {
    @Advice.OnMethodEnter(skipOn = IOException.class, suppress = Throwable.class)
    static Object enter(
        @Advice.Argument(0) FileChannel file,
        @Advice.Argument(1) ByteBuffer buffer,
        @Advice.Argument(2) long position) {
      return ShortCircuitReads.beforeFile(file, buffer, position);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter Object before,
        @Advice.Argument(1) ByteBuffer buffer,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      if (before instanceof IOException) {
        failure = (IOException) before;
      } else {
        ShortCircuitReads.afterFile(buffer, before);
      }
    }
  }
}
