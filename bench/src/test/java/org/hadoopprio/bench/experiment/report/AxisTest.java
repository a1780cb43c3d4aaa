package org.hadoopprio.bench.experiment.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.hadoopprio.bench.experiment.report.Figure.Scale;
import org.junit.jupiter.api.Test;

class AxisTest {

  @Test
  void aLinearAxisHasZeroAndEndsAtTicks() {
    Axis axis = Axis.ofValues(Scale.LINEAR, 3, 188);
    assertEquals("[0, 50, 100, 150, 200]", axis.ticks().toString());
    assertEquals(0, axis.low());
    assertEquals(200, axis.high());
    assertEquals(
        "[0, 0.002, 0.004, 0.006, 0.008, 0.01]",
        Axis.ofValues(Scale.LINEAR, 0, 0.0099).ticks().toString());
  }

  @Test
  void aLogarithmicAxisHasAsManyTicksAsHaveRoom() {
    assertEquals("[5, 10, 20, 50, 100]", labels(10, 90));
    assertEquals("[10, 100, 1000, 10000, 100000]", labels(20, 40_000));
    assertEquals("[20, 30, 40, 50]", labels(21, 44));
    Axis axis = Axis.ofValues(Scale.LOG, 10, 1000);
    assertEquals(2, axis.position(100));
    // An interval that reaches 0 ends at the axis.
    assertEquals(axis.low(), axis.position(0));
    assertEquals(axis.low(), axis.position(-5));
  }

  private static String labels(double least, double greatest) {
    return Axis.ofValues(Scale.LOG, least, greatest).ticks().toString();
  }

  @Test
  void chosenValuesAreTheTicks() {
    List<Double> depths = List.of(1.0, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0);
    assertEquals("[1, 2, 3, 4, 8, 16, 32]", Axis.ofChoices(Scale.LOG, depths).ticks().toString());
    assertEquals("[5]", Axis.ofChoices(Scale.LINEAR, List.of(5.0)).ticks().toString());
  }
}
