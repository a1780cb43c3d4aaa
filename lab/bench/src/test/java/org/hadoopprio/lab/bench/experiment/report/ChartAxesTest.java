// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.lab.bench.experiment.report.Figure.Scale;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.ui.RectangleEdge;
import org.junit.jupiter.api.Test;

class ChartAxesTest {

  private static final Rectangle2D AREA = new Rectangle2D.Double(0, 0, 1000, 1000);
  private static final double EXACT = 1e-9;

  private static String ticks(ValueAxis axis) {
    Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    List<String> labels = new ArrayList<>();
    for (Object tick : axis.refreshTicks(graphics, new AxisState(), AREA, RectangleEdge.LEFT)) {
      labels.add(tick.toString());
    }
    graphics.dispose();
    return labels.toString();
  }

  @Test
  void aLinearAxisHasZeroAndEndsAtTicks() {
    ValueAxis axis = ChartAxes.ofValues(Scale.LINEAR, "MB/s", 3, 188);
    assertEquals("[0, 50, 100, 150, 200]", ticks(axis));
    assertEquals(0, axis.getLowerBound());
    assertEquals(200, axis.getUpperBound());
    assertEquals(
        "[0, 0.002, 0.004, 0.006, 0.008, 0.01]",
        ticks(ChartAxes.ofValues(Scale.LINEAR, "s", 0, 0.0099)));
  }

  @Test
  void aLogarithmicAxisHasAsManyTicksAsHaveRoom() {
    assertEquals("[5, 10, 20, 50, 100]", logTicks(10, 90));
    assertEquals("[10, 100, 1000, 10000, 100000]", logTicks(20, 40_000));
    assertEquals("[20, 30, 40, 50]", logTicks(21, 44));
    ValueAxis axis = ChartAxes.ofValues(Scale.LOG, "ms", 10, 1000);
    assertEquals(5, axis.getLowerBound(), EXACT);
    assertEquals(1000, axis.getUpperBound(), EXACT);
    assertEquals(1000 * (1 - Math.log10(100 / 5.0) / Math.log10(1000 / 5.0)), y(axis, 100), 1e-6);
    // An interval that reaches 0 ends at the axis.
    assertEquals(1000, y(axis, 0), 1e-6);
    assertEquals(1000, y(axis, -5), 1e-6);
  }

  private static double y(ValueAxis axis, double value) {
    return axis.valueToJava2D(value, AREA, RectangleEdge.LEFT);
  }

  private static String logTicks(double min, double max) {
    return ticks(ChartAxes.ofValues(Scale.LOG, "ms", min, max));
  }

  @Test
  void chosenValuesAreTheTicks() {
    List<Double> depths = List.of(1.0, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0);
    assertEquals("[1, 2, 3, 4, 8, 16, 32]", ticks(ChartAxes.ofChoices(Scale.LOG, "depth", depths)));
    assertEquals("[5]", ticks(ChartAxes.ofChoices(Scale.LINEAR, "depth", List.of(5.0))));
  }
}
