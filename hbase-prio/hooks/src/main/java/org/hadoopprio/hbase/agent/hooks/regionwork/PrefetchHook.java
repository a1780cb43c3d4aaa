// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks.regionwork;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.IoRole;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hbase.agent.hooks.HBaseTypes;
import org.hadoopprio.hbase.delegate.RoleScopes;

/** A store file is going to be read into the block cache, on a thread of a pool. */
final class PrefetchHook extends HookBase {

  PrefetchHook() {
    super("prefetch", HBaseTypes.PREFETCH_EXECUTOR);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("request").and(takesArgument(1, Runnable.class));
  }

  static final class PrefetchAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 1, readOnly = false) Runnable work) {
      work = RoleScopes.in(IoRole.PREFETCH, work);
    }
  }
}
