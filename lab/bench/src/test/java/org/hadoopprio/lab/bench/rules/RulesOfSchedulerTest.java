// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RulesOfSchedulerTest {

  private static final Path HOME = Path.of("..", "..");

  private static Rule rule(String text) {
    return Rule.parse("part: {rule: {for: x, figure: a | b, without: {Turns: {" + text + ": }}}}")
        .get(0);
  }

  private static String refusal(String text) {
    Map<String, String> sources = Map.of("Turns", "long turn = 1; long turns;");
    return assertThrows(IllegalArgumentException.class, () -> rule(text).without(sources))
        .getMessage();
  }

  /** If it fails, a change of the scheduler has changed a rule: change rules.yaml, too. */
  @Test
  void everyTextOfARuleStandsOnceInItsFile() throws IOException {
    assertTrue(RulesOfScheduler.of(HOME).rules().size() >= 40);
  }

  @Test
  void aTextThatIsNotThereOrNotAloneIsAnErrorThatNamesRuleFileAndText() {
    assertEquals(
        "rule \"rule\" of rules.yaml: Turns.java must have this once, and has it not: gone",
        refusal("gone"));
    assertTrue(refusal("long turn").contains("more than once: long turn"));
  }

  @Test
  void withoutTheShareManyRealtimeReadersLeaveStreamsNothing() throws IOException {
    RulesOfScheduler all = RulesOfScheduler.of(HOME);
    Rule share = all.rules().stream().filter(r -> r.name().equals("share")).findAny().orElseThrow();
    Ablation ablation = new Ablation(all.sources(), 3, List.of(share.figure().cell()));
    Ablation.Absence absence = ablation.without(share);
    assertTrue(absence.own().isMove() && absence.own().without() < 1, absence.toString());
  }

  @Test
  void aConstantThatNoCellReachesChangesNoFigure() throws IOException {
    RulesOfScheduler all = RulesOfScheduler.of(HOME);
    Rule lost =
        Rule.parse(
                "p: {r: {for: x, figure: '16 streams | none streams: MB/s',"
                    + " without: {Disk: {'toNanos(10)': 'toNanos(11)'}}}}")
            .get(0);
    Ablation ablation = new Ablation(all.sources(), 3, List.of("16 streams"));
    assertTrue(!ablation.without(lost).reached());
  }
}
