package org.hadoopprio.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.pool.TypePool;
import org.hadoopprio.agent.hooks.DataNodeModule;
import org.junit.jupiter.api.Test;

class HookCheckTest {

  private static final ClassFileLocator CLASS_PATH =
      ClassFileLocator.ForClassLoader.ofSystemLoader();

  @Test
  void everyHookFitsTheHadoopWeBuildAgainst() {
    HookCheck check = new HookCheck(TypePool.Default.of(CLASS_PATH));
    int checked = 0;
    for (HookModule module : HookModules.ALL) {
      if (check.isPresent(module)) {
        for (Hook hook : module.hooks()) {
          assertNull(check.mismatch(hook), hook.name());
          checked++;
        }
      }
    }
    assertEquals(24, checked, "the hooks on HDFS; HBase is not on this class path");
  }

  @Test
  void oneHookThatDoesNotFitSwitchesItsWholeModuleOff() {
    HookModule module = new DataNodeModule();
    // A readahead request as some other Hadoop might have it: without run().
    String typeName = "org.apache.hadoop.io.ReadaheadPool$ReadaheadRequestImpl";
    DynamicType.Unloaded<?> other = new ByteBuddy().subclass(Object.class).name(typeName).make();
    HookCheck check =
        new HookCheck(
            TypePool.Default.of(
                new ClassFileLocator.Compound(
                    ClassFileLocator.Simple.of(typeName, other.getBytes()), CLASS_PATH)));
    Weaver weaver = new Weaver(check, List.of(module));
    assertFalse(weaver.isComplete());
    assertEquals(0, weaver.applied());
    assertEquals(module.hooks().size(), weaver.total());
    assertTrue(
        weaver.states().stream().anyMatch(s -> s.contains("readahead-run: off, " + typeName)),
        weaver.states().toString());
    assertTrue(
        weaver.states().stream().anyMatch(s -> s.contains("read-block: off, its module is off")),
        weaver.states().toString());
  }

  @Test
  void aModuleIsLeftOutWhereItsClassesAreNot() {
    HookCheck check = new HookCheck(TypePool.Default.of(ClassFileLocator.NoOp.INSTANCE));
    Weaver weaver = new Weaver(check, HookModules.ALL);
    assertEquals(0, weaver.total());
    assertTrue(weaver.isComplete());
  }
}
