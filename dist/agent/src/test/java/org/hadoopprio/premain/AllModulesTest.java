// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.premain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.off.AgentModule;
import org.junit.jupiter.api.Test;

class AllModulesTest {

  private final List<HookModule> modules = new AllModules().get();

  /** An operator switches modules off by these names. */
  @Test
  void theModulesAreThoseThatCanBeSwitchedOff() {
    assertEquals(
        Arrays.stream(AgentModule.values()).map(AgentModule::toString).collect(Collectors.toList()),
        modules.stream().map(HookModule::name).collect(Collectors.toList()));
  }

  @Test
  void noTwoHooksHaveTheSameName() {
    List<String> names =
        modules.stream()
            .flatMap(module -> module.hooks().stream())
            .map(Hook::name)
            .collect(Collectors.toList());
    Set<String> different = new HashSet<>(names);
    assertEquals(different.size(), names.size(), names.toString());
  }
}
