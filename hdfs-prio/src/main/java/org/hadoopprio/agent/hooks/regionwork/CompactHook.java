package org.hadoopprio.agent.hooks.regionwork;

import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.HBaseTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.role.IoRole;
import org.hadoopprio.role.RoleScopes;
import org.hadoopprio.role.WorkScope;

/**
 * A compaction reads and writes, on one thread. The coprocessor has the reads in its scanner, too;
 * the file that it writes is opened outside of that.
 */
final class CompactHook implements Hook {

  @Override
  public String name() {
    return "compact";
  }

  @Override
  public String typeName() {
    return HBaseTypes.COMPACTOR;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("compact");
  }

  @Override
  public Class<?> advice() {
    return CompactAdvice.class;
  }

  static final class CompactAdvice {
    private CompactAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return RoleScopes.open(IoRole.COMPACTION);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
