// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetTest {

  private static Target target(Target.Bound bound, double required, Double... values) {
    return Target.of(
        "ratio",
        bound,
        required,
        values.length == 0 ? Optional.empty() : Optional.of(Estimate.of(List.of(values))),
        "a paper");
  }

  @Test
  void aTargetSaysHowItStands() {
    assertEquals(
        "met          ratio: 8.25, at least 8", target(Target.Bound.AT_LEAST, 8, 8.25).toString());
    assertEquals(
        "missed       ratio: 1.60, at most 1.50",
        target(Target.Bound.AT_MOST, 1.5, 1.6).toString());
    assertEquals("not measured ratio: at most 2", target(Target.Bound.AT_MOST, 2).toString());
  }

  /** The interval of 1.5 and 1.7 is 1.6 ± 1.27, and that of 1.59, 1.60 and 1.61 is 1.6 ± 0.025. */
  @Test
  void aTargetWhoseBoundLiesInTheIntervalIsUndetermined() {
    Target wide = target(Target.Bound.AT_MOST, 1.5, 1.5, 1.7);
    assertEquals(Target.State.UNDETERMINED, wide.state());
    assertFalse(wide.met() || wide.missed());
    assertEquals("undetermined ratio: 1.6 (0.3 to 2.9), at most 1.50", wide.toString());
    assertTrue(new Findings().add(wide).passed(), "the exit status is that of no miss");
    assertEquals(
        Target.State.UNDETERMINED, target(Target.Bound.AT_LEAST, 1.62, 1.59, 1.6, 1.61).state());
    assertEquals(Target.State.MET, target(Target.Bound.AT_MOST, 1.63, 1.59, 1.6, 1.61).state());
    assertEquals(Target.State.MISSED, target(Target.Bound.AT_MOST, 1.57, 1.59, 1.6, 1.61).state());
    assertEquals(Target.State.MET, target(Target.Bound.AT_LEAST, 1.57, 1.59, 1.6, 1.61).state());
    assertEquals(Target.State.MISSED, target(Target.Bound.AT_LEAST, 1.63, 1.59, 1.6, 1.61).state());
    assertEquals(
        "met          ratio: 1.600 (1.575 to 1.625), at most 1.63",
        target(Target.Bound.AT_MOST, 1.63, 1.59, 1.6, 1.61).toString());
  }

  @Test
  void aPercentileNeedsTenSamplesBeyondIt() {
    assertTrue(Numbers.isKnown(99.9, 10_000));
    assertFalse(Numbers.isKnown(99.9, 2_000));
    assertTrue(Numbers.isKnown(95, 200));
    assertFalse(Numbers.isKnown(95, 199));
  }

  @Test
  void onlyATargetThatWasMeasuredFails() {
    Target missed = target(Target.Bound.AT_MOST, 2, 3.0);
    assertFalse(new Findings().add(missed).passed());
    assertTrue(new Findings().add(target(Target.Bound.AT_MOST, 2)).passed());
    assertFalse(new Findings().invalid("late").passed());
  }

  @Test
  void numbersKeepTheDigitsThatCount() {
    assertEquals("188", Numbers.text(188.4));
    assertEquals("0.0123", Numbers.text(0.01234));
    assertEquals("100000", Numbers.text(100000));
    assertEquals("23.4", Numbers.text(23.44));
  }
}
