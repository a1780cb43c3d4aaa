// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.agent.hooks.HookModule;
import org.hadoopprio.off.AgentModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentArgumentTest {

  @ParameterizedTest
  @CsvSource({
    ", , false, ''",
    "strict, , true, ''",
    "off:late-reads, , false, late-reads",
    "'off:late-reads,work', , false, 'late-reads,work'",
    "'strict,off:work', , true, work",
    ", late-reads work, false, 'late-reads,work'",
    "off:work, 'engines,work', false, 'work,engines'",
    "turbo, , false, ''",
  })
  void strictAndModulesThatAreOff(String argument, String environment, boolean strict, String off) {
    AgentArgument parsed = AgentArgument.parse(argument, environment);
    assertEquals(strict, parsed.isStrict());
    assertEquals(AgentModule.parse(off), parsed.off());
  }

  @Test
  void anUnknownModuleIsRefusedWithAllThatAreAllowed() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> AgentArgument.parse("strict,off:work,turns", null));
    assertTrue(
        e.getMessage()
            .startsWith("the argument: \"turns\" is no module; allowed: hdfs-client, late-reads, "),
        e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> AgentArgument.parse(null, "client"));
    assertTrue(
        e.getMessage().startsWith("the environment variable HADOOP_IO_PRIORITY_OFF: \"client\""));
  }

  private static List<String> left(String argument) {
    return AgentArgument.parse(argument, null).left(HdfsModules.ALL).stream()
        .map(HookModule::name)
        .collect(Collectors.toList());
  }

  @Test
  void aModuleIsLeftOutWithThoseThatNeedIt() {
    assertEquals(HdfsModules.ALL.size(), left(null).size());
    assertFalse(left("off:late-reads").contains("late-reads"));
    assertEquals(List.of("hdfs-client", "late-reads"), left("off:datanode"));
  }
}
