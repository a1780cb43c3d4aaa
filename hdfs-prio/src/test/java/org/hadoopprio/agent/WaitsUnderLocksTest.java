// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hadoopprio.agent.CallGraph.Body;
import org.hadoopprio.agent.CallGraph.Method;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * No hook waits, for a turn or for anything else, while its thread has a monitor or a lock of
 * Hadoop's that others need: they would wait for the disk of a read that is none of theirs. Looks
 * at class files, those of the Hadoop that the build has.
 */
class WaitsUnderLocksTest {

  private static final String OURS = "org/hadoopprio/";
  private static final String DATANODE = "org/apache/hadoop/hdfs/server/datanode/";

  private final HookCheck check = HookCheck.ofClassPath();

  private CallGraph graph;

  /** The woven methods whose advice may wait, by the name of the hook. */
  private final Map<String, List<MethodDescription>> waiting = new TreeMap<>();

  @BeforeEach
  void find() throws IOException, URISyntaxException {
    graph =
        new CallGraph(
            placeOf(HookCheck.class), WaitsUnderLocksTest::isLock, WaitsUnderLocksTest::isUnlock);
    for (HookModule module : HdfsModules.ALL) {
      for (Hook hook : module.hooks()) {
        if (mayWait(hook)) {
          TypeDescription type = check.classPath().describe(hook.typeName()).resolve();
          waiting.put(
              hook.name(), List.copyOf(type.getDeclaredMethods().filter(check.methods(hook))));
        }
      }
    }
  }

  private boolean mayWait(Hook hook) {
    String advice = hook.advice().replace('.', '/');
    return graph.bodies(advice).keySet().stream()
        .map(key -> new Method(advice, key.substring(0, key.indexOf('(')), descriptor(key)))
        .anyMatch(method -> !graph.path(method, OURS, WaitsUnderLocksTest::isWait).isEmpty());
  }

  private static String descriptor(String key) {
    return key.substring(key.indexOf('('));
  }

  private static boolean isWait(Method called) {
    String owner = called.owner;
    return (owner.equals("java/util/concurrent/locks/LockSupport")
            && called.name.startsWith("park"))
        || (owner.startsWith("java/util/concurrent/")
            && (called.name.startsWith("await") || called.name.equals("timedWait")))
        || (owner.equals("java/lang/Object") && called.name.equals("wait"));
  }

  /** All that a DataNode's data set is guarded by is closed to be given back. */
  private static boolean isLock(Method called) {
    return called.descriptor.endsWith("/AutoCloseableLock;")
        || called.descriptor.endsWith("/AutoCloseDataSetLock;");
  }

  private static boolean isUnlock(Method called) {
    return called.name.equals("close")
        && called.owner.matches(".*/AutoClose(ableLock|DataSetLock)");
  }

  @Test
  void itIsKnownWhichHooksMayWait() {
    assertTrue(
        waiting
            .keySet()
            .containsAll(
                Set.of("packet", "check-access", "socket-wait", "written-packet", "sync-data")),
        waiting.keySet().toString());
    assertFalse(waiting.containsKey("open-checksums"), waiting.keySet().toString());
  }

  @Test
  void noMethodInWhichAHookMayWaitIsSynchronized() {
    Set<String> found =
        waiting.entrySet().stream()
            .filter(hook -> hook.getValue().stream().anyMatch(MethodDescription::isSynchronized))
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), found);
  }

  @Test
  void noMethodInWhichAHookMayWaitIsCalledWithALockOfTheDataNodes() throws Exception {
    Set<String> found = new TreeSet<>();
    int looked = 0;
    for (String type : dataNodeTypes()) {
      for (Map.Entry<String, Body> caller : graph.bodies(type).entrySet()) {
        for (Method called : caller.getValue().lockedCalls()) {
          looked++;
          if (isWaiting(called)) {
            found.add(type + "." + caller.getKey() + " calls " + called);
          }
        }
      }
    }
    assertTrue(looked > 1000, "the DataNode has " + looked + " calls with a lock");
    assertEquals(Set.of(), found);
  }

  private boolean isWaiting(Method called) {
    return waiting.values().stream()
        .flatMap(List::stream)
        .anyMatch(
            woven ->
                called.name.equals(woven.getName())
                    && called.descriptor.equals(woven.getDescriptor()));
  }

  private static Path placeOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static Set<String> dataNodeTypes() throws IOException, URISyntaxException {
    Path jar = placeOf(DataNode.class);
    try (JarFile files = new JarFile(jar.toFile())) {
      Set<String> found =
          files.stream()
              .map(file -> file.getName())
              .filter(name -> name.startsWith(DATANODE) && name.endsWith(".class"))
              .map(name -> name.substring(0, name.length() - ".class".length()))
              .collect(Collectors.toCollection(TreeSet::new));
      assertTrue(found.contains(DATANODE + "BlockSender"), jar.toString());
      return found;
    }
  }
}
