package org.hadoopprio.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TargetTest {

  private static Target target(Target.Bound bound, double required, OptionalDouble measured) {
    return Target.of("ratio", bound, required, measured, "a paper");
  }

  @Test
  void aTargetSaysHowItStands() {
    assertEquals(
        "met          ratio: 8.25, at least 8",
        target(Target.Bound.AT_LEAST, 8, OptionalDouble.of(8.25)).toString());
    assertEquals(
        "missed       ratio: 1.60, at most 1.50 (reported only)",
        target(Target.Bound.AT_MOST, 1.5, OptionalDouble.of(1.6)).reportedOnly().toString());
    assertEquals(
        "not measured ratio: at most 2",
        target(Target.Bound.AT_MOST, 2, OptionalDouble.empty()).toString());
  }

  @Test
  void onlyADecisiveTargetThatWasMeasuredFails() {
    Target missed = target(Target.Bound.AT_MOST, 2, OptionalDouble.of(3));
    assertFalse(new Findings().add(missed).passed());
    assertTrue(new Findings().add(missed.reportedOnly()).passed());
    assertTrue(
        new Findings().add(target(Target.Bound.AT_MOST, 2, OptionalDouble.empty())).passed());
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
