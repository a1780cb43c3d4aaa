package org.hadoopprio.agent;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.agent.hooks.hbaseclient.HBaseClientModule;
import org.hadoopprio.agent.hooks.regionserver.RegionServerModule;
import org.hadoopprio.agent.hooks.regionwork.RegionWorkModule;
import org.junit.jupiter.api.Test;

/** The check of the hooks on HBase. It is here because HBase is on this module's class path. */
class HBaseHookCheckTest {

  @Test
  void everyHookFitsTheHBaseWeBuildAgainst() {
    HookCheck check =
        new HookCheck(TypePool.Default.of(ClassFileLocator.ForClassLoader.ofSystemLoader()));
    for (HookModule module :
        List.of(new RegionServerModule(), new RegionWorkModule(), new HBaseClientModule())) {
      assertTrue(check.isPresent(module), module.name());
      assertFalse(module.hooks().isEmpty(), module.name());
      for (Hook hook : module.hooks()) {
        assertNull(check.mismatch(hook), hook.name());
      }
    }
  }
}
