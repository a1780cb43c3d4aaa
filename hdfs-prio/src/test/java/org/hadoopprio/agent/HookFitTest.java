// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.bytebuddy.ByteBuddy;
import org.hadoopprio.agent.hooks.DataNodeHooks;
import org.hadoopprio.agent.hooks.DataXceiverHooks;
import org.hadoopprio.agent.hooks.ReadaheadPoolHooks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HookFitTest {

  @TempDir private Path other;

  /** The Hadoop of the build, after what another version has in place of it. */
  private List<URL> classPath() throws IOException {
    List<URL> all = new ArrayList<>();
    all.add(other.toUri().toURL());
    String tests =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : tests.split(":", -1)) {
      all.add(Path.of(entry).toUri().toURL());
    }
    return all;
  }

  private static Map<String, ModuleFit> fits(List<URL> classPath) throws IOException {
    try (HookFit fit = new HookFit(classPath)) {
      return fit.modules(HdfsModules.ALL).stream()
          .collect(Collectors.toMap(ModuleFit::name, Function.identity()));
    }
  }

  /** A class as another version has it: without any method. */
  private void empty(String type) throws IOException {
    new ByteBuddy().subclass(Object.class).name(type).make().saveIn(other.toFile());
  }

  @Test
  void theHadoopOfTheBuildFits() throws IOException {
    for (ModuleFit fit : fits(classPath()).values()) {
      assertEquals(ModuleFit.State.FITS, fit.state(), fit.name() + fit.misfits());
      assertTrue(fit.place().matches("hadoop-hdfs-.*\\.jar"), fit.place());
      assertTrue(fit.hooks() > 0, fit.name());
    }
  }

  @Test
  void whatNeedsAModuleThatDoesNotFitIsOffToo() throws IOException {
    empty(ReadaheadPoolHooks.READAHEAD_REQUEST);
    Map<String, ModuleFit> fits = fits(classPath());
    assertEquals(ModuleFit.State.OFF, fits.get("datanode").state());
    String reason = fits.get("datanode").misfits().get("readahead-run");
    assertTrue(reason.startsWith(ReadaheadPoolHooks.READAHEAD_REQUEST + " has 0 methods"), reason);
    for (String module : List.of("work", "scheduler", "engines", "reconfigure")) {
      assertEquals(ModuleFit.State.OFF, fits.get(module).state(), module);
      assertEquals(Map.of(), fits.get(module).misfits(), module);
      assertEquals("datanode", fits.get(module).needs());
    }
    assertEquals(ModuleFit.State.FITS, fits.get("hdfs-client").state());
  }

  /** The agent would leave out such a module without a word. */
  @Test
  void aProgramThatLacksTheClassByWhichItIsKnownIsNotAbsent() throws IOException {
    empty(DataNodeHooks.DATA_NODE);
    Map<String, ModuleFit> fits = fits(List.of(other.toUri().toURL()));
    assertEquals(ModuleFit.State.ABSENT, fits.get("hdfs-client").state());
    assertEquals("", fits.get("hdfs-client").place());
    assertEquals(ModuleFit.State.OFF, fits.get("datanode").state());
    assertEquals(
        "class " + DataXceiverHooks.DATA_XCEIVER + " does not exist",
        fits.get("datanode").misfits().get("module"));
  }
}
