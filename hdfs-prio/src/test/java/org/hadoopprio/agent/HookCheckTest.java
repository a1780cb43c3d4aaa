// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.pool.TypePool;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.agent.hooks.datanode.DataNodeModule;
import org.junit.jupiter.api.Test;

class HookCheckTest {

  private static final ClassFileLocator CLASS_PATH =
      ClassFileLocator.ForClassLoader.ofSystemLoader();

  private static final LoadedClasses NOTHING_LOADED =
      new LoadedClasses() {
        @Override
        public Class<?>[] all() {
          return new Class<?>[0];
        }

        @Override
        public void transform(Class<?> loaded) {
          throw new IllegalStateException(loaded.toString());
        }
      };

  @Test
  void everyHookFitsTheHadoopWeBuildAgainst() {
    HookCheck check = new HookCheck(TypePool.Default.of(CLASS_PATH));
    List<String> checked = new ArrayList<>();
    for (HookModule module : HdfsModules.ALL) {
      if (check.isPresent(module)) {
        assertFalse(module.hooks().isEmpty(), module.name());
        for (Hook hook : module.hooks()) {
          assertNull(check.mismatch(hook), hook.name());
        }
        checked.add(module.name());
      }
    }
    assertEquals(
        List.of(
            "hdfs-client", "late-reads", "datanode", "work", "scheduler", "engines", "reconfigure"),
        checked);
  }

  @Test
  void everyHookBelongsToAModule() throws IOException, URISyntaxException {
    Set<String> names = new TreeSet<>();
    Set<String> listed = new TreeSet<>();
    for (HookModule module : HdfsModules.ALL) {
      for (Hook hook : module.hooks()) {
        assertTrue(names.add(hook.name()), hook.name());
        listed.add(hook.getClass().getSimpleName());
      }
    }
    Path classes =
        Path.of(HookModule.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> compiled;
    try (Stream<Path> files = Files.walk(classes.resolve("org/hadoopprio/agent/hooks"))) {
      compiled =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Hook.class") && !name.equals("Hook.class"))
              .map(name -> name.substring(0, name.length() - ".class".length()))
              .collect(Collectors.toCollection(TreeSet::new));
    }
    assertEquals(compiled, listed);
  }

  @Test
  void oneHookThatDoesNotFitSwitchesItsWholeModuleOff() {
    HookModule module = new DataNodeModule();
    // The class of a readahead request as another Hadoop might have it: without run().
    String typeName = "org.apache.hadoop.io.ReadaheadPool$ReadaheadRequestImpl";
    DynamicType.Unloaded<?> other = new ByteBuddy().subclass(Object.class).name(typeName).make();
    HookCheck check =
        new HookCheck(
            TypePool.Default.of(
                new ClassFileLocator.Compound(
                    ClassFileLocator.Simple.of(typeName, other.getBytes()), CLASS_PATH)));
    Weaver weaver = new Weaver("test", () -> check, NOTHING_LOADED, List.of(module));
    weaver.startAll();
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
  void aTypeThatAHookRefersToAndThatIsNotThereIsNamed() {
    Hook hook =
        new Hook() {
          @Override
          public String name() {
            return "test";
          }

          @Override
          public String typeName() {
            return HadoopTypes.DATANODE;
          }

          @Override
          public ElementMatcher<? super MethodDescription> methods() {
            throw new NoClassDefFoundError("org/apache/hadoop/Gone");
          }

          @Override
          public Class<?> advice() {
            return HookCheckTest.class;
          }
        };
    assertEquals(
        "class org.apache.hadoop.Gone does not exist",
        new HookCheck(TypePool.Default.of(CLASS_PATH)).mismatch(hook));
  }

  @Test
  void aModuleIsLeftOutWhereItsClassesAreNot() {
    HookCheck check = new HookCheck(TypePool.Default.of(ClassFileLocator.NoOp.INSTANCE));
    Weaver weaver = new Weaver("test", () -> check, NOTHING_LOADED, HdfsModules.ALL);
    weaver.startAll();
    assertEquals(0, weaver.total());
    assertTrue(weaver.isComplete());
  }
}
