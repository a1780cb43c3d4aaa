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
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.hbase.agent.HBaseModules;
import org.junit.jupiter.api.Test;

/** In the package of the check, which is the agent's own. */
class HBaseHookCheckTest {

  @Test
  void everyHookFitsTheHBaseWeBuildAgainst() {
    HookCheck check = HookCheck.ofClassPath();
    for (HookModule module : HBaseModules.ALL) {
      assertTrue(check.isPresent(module), module.name());
      assertFalse(module.hooks().isEmpty(), module.name());
      for (Hook hook : module.hooks()) {
        assertNull(check.mismatch(hook), hook.name());
      }
    }
  }

  @Test
  void everyHookBelongsToAModule() throws IOException, URISyntaxException {
    Set<String> names = new TreeSet<>();
    Set<String> listed = new TreeSet<>();
    for (HookModule module : HBaseModules.ALL) {
      for (Hook hook : module.hooks()) {
        assertTrue(names.add(hook.name()), hook.name());
        listed.add(hook.advice().substring(hook.advice().lastIndexOf('.') + 1));
      }
    }
    Path classes =
        Path.of(HBaseModules.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(classes.resolve("org/hadoopprio/hbase/agent/hooks"))) {
      assertEquals(
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.contains("$"))
              .map(name -> name.substring(0, name.length() - ".class".length()))
              .collect(Collectors.toCollection(TreeSet::new)),
          listed);
    }
  }
}
