package org.hadoopprio.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.hadoopprio.agent.hooks.HBaseTypes;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.junit.jupiter.api.Test;

/** Tests with the class files of Hadoop, in the order in which processes load them. */
class WeaverTest {

  private static final ClassLoader LOADER = WeaverTest.class.getClassLoader();

  private final AtomicInteger checks = new AtomicInteger();
  private final Set<String> loaded = new HashSet<>();
  private final Weaver weaver =
      new Weaver(
          "test",
          () -> {
            checks.incrementAndGet();
            return HookCheck.ofClassPath();
          },
          () -> loaded,
          HookModules.ALL);

  /** The woven class file; null if the class stays as it is. */
  private byte[] load(String type) throws IOException {
    String name = type.replace('.', '/');
    try (InputStream in = LOADER.getResourceAsStream(name + ".class")) {
      return weaver.transform(LOADER, name, null, null, in.readAllBytes());
    }
  }

  private Set<String> started() {
    return weaver.states().stream()
        .map(state -> state.substring(0, state.indexOf('/')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aProcessPaysOnlyForTheModulesWhoseClassesItLoads() throws IOException {
    assertNull(load("org.apache.hadoop.conf.Configuration"));
    assertNull(load(HadoopTypes.SELECTOR_POOL), "every client has it");
    assertEquals(0, checks.get());
    assertEquals(0, weaver.total());

    assertNotNull(load(HadoopTypes.DFS_CLIENT));
    assertNotNull(load(HadoopTypes.DFS_INPUT_STREAM));
    assertNull(load(HadoopTypes.OP_READ_BLOCK), "a DataNode parses it");
    assertEquals(Set.of("hdfs-client", "late-reads"), started());
    assertTrue(weaver.isComplete(), weaver.states().toString());
    assertTrue(weaver.states().contains("hdfs-client/client-default: applied"), "woven");
    assertEquals(1, checks.get());
  }

  @Test
  void aDataNodeHasItsModulesBeforeTheirOtherClassesAreLoaded() throws IOException {
    assertNotNull(load(HadoopTypes.DATANODE));
    assertEquals(Set.of("datanode", "engines", "reconfigure", "scheduler", "work"), started());
    assertTrue(weaver.isComplete(), weaver.states().toString());
    for (HookModule module : HookModules.ALL) {
      if (started().contains(module.name())) {
        for (Hook hook : module.hooks()) {
          assertNotNull(load(hook.typeName()), hook.typeName());
        }
      }
    }
    assertFalse(weaver.states().stream().anyMatch(s -> !s.endsWith(": applied")));
  }

  @Test
  void aModuleOneOfWhoseClassesIsThereAlreadyIsOff() throws IOException {
    loaded.add(HadoopTypes.SELECTOR_POOL);
    assertNotNull(load(HadoopTypes.DATANODE), "for the others");
    assertFalse(weaver.isComplete());
    assertTrue(
        weaver
            .states()
            .contains(
                "scheduler/socket-wait: off, class "
                    + HadoopTypes.SELECTOR_POOL
                    + " was loaded before it could be woven"),
        weaver.states().toString());
    assertTrue(weaver.states().contains("scheduler/packet: off, its module is off"));
  }

  @Test
  void hbasesModulesAreLeftOutWithoutHBase() {
    for (String type : List.of(HBaseTypes.RPC_SERVER, HBaseTypes.RPC_CLIENT_FACTORY)) {
      assertNull(weaver.transform(LOADER, type.replace('.', '/'), null, null, new byte[0]));
    }
    assertEquals(0, weaver.total());
  }
}
