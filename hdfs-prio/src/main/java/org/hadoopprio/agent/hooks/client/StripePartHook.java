// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.returns;

import java.util.concurrent.Callable;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/**
 * Lets the task that reads a part of a stripe, which runs on a pool thread, take the caller's
 * priority along: by short circuit it reads the disk itself.
 */
final class StripePartHook extends HookBase {

  StripePartHook() {
    super("stripe-part", HadoopTypes.STRIPE_READER);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("readCells").and(returns(Callable.class));
  }

  static final class StripePartAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return(readOnly = false) Callable<?> task) {
      task = ClientReads.carryStripe(task);
    }
  }
}
