// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.hadoopprio.agent.hooks.BlockReceiverHooks;
import org.hadoopprio.agent.hooks.DFSClientHooks;
import org.hadoopprio.agent.hooks.DFSInputStreamHooks;
import org.hadoopprio.agent.hooks.DataNodeHooks;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.agent.hooks.OperationHooks;
import org.hadoopprio.agent.hooks.PacketWaitHooks;
import org.hadoopprio.agent.hooks.ReadaheadPoolHooks;
import org.hadoopprio.hdfs.datanode.scheduler.TurnHooks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests with the class files of Hadoop, in the order in which processes load them. */
class WeaverTest {

  private static final ClassLoader LOADER = WeaverTest.class.getClassLoader();

  private final AtomicInteger checks = new AtomicInteger();
  private final Map<String, Class<?>> loaded = new HashMap<>();

  /** The binary names of loaded classes that the JVM has asked for once more, in that order. */
  private final List<String> askedAgain = new CopyOnWriteArrayList<>();

  /** The loaded class of which the JVM rejects what is woven; null for none. */
  private String rejected;

  private final Weaver weaver =
      new Weaver(
          "test",
          () -> {
            checks.incrementAndGet();
            return HookCheck.ofClassPath();
          },
          new LoadedClasses() {
            @Override
            public Class<?>[] all() {
              return loaded.values().toArray(new Class<?>[0]);
            }

            @Override
            public void transform(Class<?> type) {
              loadAgain(type);
            }
          },
          HdfsModules.ALL);

  @AfterEach
  void switchOn() {
    TurnHooks.setOff(false);
  }

  private void setLoaded(String type) throws ClassNotFoundException {
    loaded.put(type, Class.forName(type, false, LOADER));
  }

  private void loadAgain(Class<?> type) {
    askedAgain.add(type.getName());
    if (type.getName().equals(rejected)) {
      throw new VerifyError("rejected");
    }
    String name = type.getName().replace('.', '/');
    try (InputStream in = LOADER.getResourceAsStream(name + ".class")) {
      weaver.transform(LOADER, name, type, null, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

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
    assertNull(load(PacketWaitHooks.SELECTOR_POOL), "every client has it");
    assertEquals(0, checks.get());
    assertEquals(0, weaver.total());

    assertNotNull(load(DFSClientHooks.DFS_CLIENT));
    assertNotNull(load(DFSInputStreamHooks.DFS_INPUT_STREAM));
    assertNull(load(OperationHooks.OP_READ_BLOCK), "a DataNode parses it");
    assertEquals(Set.of("hdfs-client", "late-reads"), started());
    assertTrue(weaver.isComplete(), weaver.states().toString());
    assertTrue(weaver.states().contains("hdfs-client/client-default: applied"), "woven");
    assertEquals(1, checks.get());
  }

  @Test
  void aDataNodeHasItsModulesBeforeTheirOtherClassesAreLoaded() throws IOException {
    assertNotNull(load(DataNodeHooks.DATA_NODE));
    assertEquals(Set.of("datanode", "engines", "reconfigure", "scheduler", "work"), started());
    assertTrue(weaver.isComplete(), weaver.states().toString());
    for (HookModule module : HdfsModules.ALL) {
      if (started().contains(module.name())) {
        for (Hook hook : module.hooks()) {
          assertNotNull(load(hook.typeName()), hook.typeName());
        }
      }
    }
    assertFalse(weaver.states().stream().anyMatch(s -> !s.endsWith(": applied")));
  }

  /** A loader with the application's jars and nothing of the application's loader, as Hive's. */
  private static URLClassLoader isolated() throws IOException {
    List<URL> jars = new ArrayList<>();
    for (String type : List.of(DFSClientHooks.DFS_CLIENT, PacketWaitHooks.SELECTOR_POOL)) {
      URL file = LOADER.getResource(type.replace('.', '/') + ".class");
      jars.add(((JarURLConnection) file.openConnection()).getJarFileURL());
    }
    return new URLClassLoader(jars.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  private boolean isWovenIn(ClassLoader other, String type) throws IOException {
    String name = type.replace('.', '/');
    try (InputStream in = LOADER.getResourceAsStream(name + ".class")) {
      return weaver.transform(other, name, null, null, in.readAllBytes()) != null;
    }
  }

  @Test
  void aSecondHadoopIsStockWhicheverComesFirst() throws Exception {
    try (URLClassLoader first = isolated();
        URLClassLoader last = isolated()) {
      assertFalse(isWovenIn(first, DFSClientHooks.DFS_CLIENT));
      assertEquals(0, checks.get(), "nothing starts for it");
      assertNotNull(load(DFSClientHooks.DFS_CLIENT), "the application's own");
      assertFalse(isWovenIn(last, DFSClientHooks.DFS_CLIENT));
      assertFalse(isWovenIn(last, DFSInputStreamHooks.DFS_INPUT_STREAM));
      assertTrue(weaver.isComplete(), weaver.states().toString());
    }
  }

  /** Such as one of another version. */
  @Test
  void aSecondHadoopThatCannotBeWovenLeavesTheFirstAlone() throws Exception {
    assertNotNull(load(DFSClientHooks.DFS_CLIENT));
    setLoaded(DFSClientHooks.DFS_CLIENT);
    try (URLClassLoader other = isolated()) {
      String name = DFSInputStreamHooks.DFS_INPUT_STREAM.replace('.', '/');
      assertNull(weaver.transform(other, name, null, null, new byte[] {1}));
    }
    assertTrue(weaver.isComplete(), weaver.states().toString());
    assertNotNull(load(DFSInputStreamHooks.DFS_INPUT_STREAM));
  }

  @Test
  void classesThatASecondHadoopHasLoadedAreLeftAlone() throws Exception {
    try (URLClassLoader other = isolated()) {
      Class<?> early = Class.forName(PacketWaitHooks.SELECTOR_POOL, false, other);
      loaded.put(PacketWaitHooks.SELECTOR_POOL, early);
      assertNotNull(load(DataNodeHooks.DATA_NODE));
      assertEquals(List.of(), askedAgain);
      assertTrue(weaver.isComplete(), weaver.states().toString());
      assertTrue(
          weaver.states().contains("scheduler/socket-wait: applied when its class is loaded"),
          weaver.states().toString());
    }
  }

  /** As in a process with a NameNode and a client, which use them, too. */
  @Test
  void classesThatAreThereAlreadyAreWovenWhereTheyAre() throws Exception {
    setLoaded(PacketWaitHooks.SELECTOR_POOL);
    setLoaded(DataNodeHooks.RECONFIGURABLE_BASE);
    assertNotNull(load(DataNodeHooks.DATA_NODE));
    assertEquals(
        Set.of(PacketWaitHooks.SELECTOR_POOL, DataNodeHooks.RECONFIGURABLE_BASE),
        Set.copyOf(askedAgain));
    assertTrue(weaver.isComplete(), weaver.states().toString());
    assertTrue(weaver.states().contains("scheduler/socket-wait: applied"));
    assertTrue(weaver.states().contains("reconfigure/changed-properties: applied"));
  }

  @Test
  void aModuleOneOfWhoseClassesCannotBeWovenIsOffAndSaysWhich() throws Exception {
    setLoaded(PacketWaitHooks.SELECTOR_POOL);
    rejected = PacketWaitHooks.SELECTOR_POOL;
    assertNotNull(load(DataNodeHooks.DATA_NODE), "for the others");
    assertFalse(weaver.isComplete());
    assertTrue(
        weaver.states().contains("scheduler/socket-wait: off, java.lang.VerifyError: rejected"),
        weaver.states().toString());
    assertTrue(weaver.states().contains("scheduler/packet: off, its module is off"));
    assertEquals(6, weaver.total() - weaver.applied(), "the module's");
    assertNull(load(ReadaheadPoolHooks.READAHEAD_POOL), "nothing of a module that is off");
  }

  @Test
  void whereADataNodesModuleIsOffAllOfItsModulesAreAndWovenClassesAreAsTheyWere() throws Exception {
    assertNotNull(load(DataNodeHooks.DATA_NODE));
    setLoaded(DataNodeHooks.DATA_NODE);
    assertNull(
        weaver.transform(
            LOADER,
            BlockReceiverHooks.BLOCK_RECEIVER.replace('.', '/'),
            null,
            null,
            new byte[] {1}));
    assertEquals(0, weaver.applied(), weaver.states().toString());
    soon("the class is asked for again").until(() -> askedAgain.contains(DataNodeHooks.DATA_NODE));
    assertNull(load(DataNodeHooks.DATA_NODE), "as it was");
    assertTrue(
        weaver.states().stream().anyMatch(s -> s.startsWith("datanode/receive-block: off, java.")),
        weaver.states().toString());
  }
}
