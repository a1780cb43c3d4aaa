// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;

class IoPriorityObserverTest {

  /** They look at nothing; a compaction's because the role has no priority here. */
  private static final List<String> CANNOT_FAIL =
      List.of("preCompact", "postGetOp", "postBatchMutate", "postCheckAndMutate");

  /**
   * HBase aborts the RegionServer at a coprocessor's RuntimeException. Here every hook fails, as
   * there is neither an operation nor a region.
   */
  @Test
  void aHookThatFailsIsCountedAndTheOperationGoesOn() {
    IoPriorityObserver observer = new IoPriorityObserver();
    int hooks = 0;
    long before = PriorityMetrics.FAILED.sum();
    for (Method hook : RegionObserver.class.getMethods()) {
      if (isImplemented(hook)) {
        Object[] nothing =
            Arrays.stream(hook.getParameterTypes()).map(IoPriorityObserverTest::nothing).toArray();
        assertDoesNotThrow(() -> hook.invoke(observer, nothing), hook::toString);
        hooks += CANNOT_FAIL.stream().anyMatch(hook.getName()::startsWith) ? 0 : 1;
      }
    }
    assertTrue(hooks >= 10, hooks + " hooks");
    assertEquals(hooks, PriorityMetrics.FAILED.sum() - before);
  }

  private static Object nothing(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    return type == int.class ? (Object) 0 : null;
  }

  private static boolean isImplemented(Method hook) {
    return Arrays.stream(IoPriorityObserver.class.getDeclaredMethods())
        .anyMatch(
            own ->
                own.getName().equals(hook.getName())
                    && Arrays.equals(own.getParameterTypes(), hook.getParameterTypes()));
  }
}
