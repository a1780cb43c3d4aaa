// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.work;

import static net.bytebuddy.matcher.ElementMatchers.isBridge;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.IoRole;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeWork;

/** The directory scanner lists the directories of a volume, on a thread of its pool. */
final class ListDirectoriesHook implements Hook {

  @Override
  public String name() {
    return "list-directories";
  }

  @Override
  public String typeName() {
    return HadoopTypes.REPORT_COMPILER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("call").and(takesNoArguments()).and(not(isBridge()));
  }

  @Override
  public Class<?> advice() {
    return ListDirectoriesAdvice.class;
  }

  static final class ListDirectoriesAdvice {
    private ListDirectoriesAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static DataNodeWork enter() {
      return DataNodeWork.begin(IoRole.DIRECTORY_SCANNER);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter DataNodeWork begun) {
      DataNodeWork.end(begun);
    }
  }
}
