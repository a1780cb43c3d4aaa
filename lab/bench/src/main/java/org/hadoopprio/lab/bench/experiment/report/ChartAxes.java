// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment.report;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.report.Figure.Scale;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** JFreeChart's axes, with ticks at 1-2-5 steps of a logarithmic axis or at given values. */
final class ChartAxes {

  private static final int MAX_STEPS = 8;
  private static final int MAX_CHOICES = 10;
  private static final double WIDE_DECADES = 3;
  private static final double NARROW_DECADES = 0.8;
  private static final double MARGIN = 0.04;

  private ChartAxes() {}

  /**
   * An axis for measured values, which ends at ticks and includes 0 when it is linear.
   *
   * @param min the smallest value to show, more than 0 on a logarithmic axis
   * @param max the largest
   */
  static ValueAxis ofValues(Scale scale, String label, double min, double max) {
    if (scale == Scale.LOG) {
      List<Double> ticks = logTicks(min, max);
      ValueAxis axis = new TickedLogAxis(label, ticks);
      axis.setRange(ticks.get(0), ticks.get(ticks.size() - 1));
      return axis;
    }
    double low = Math.min(0, min);
    double high = max > low ? max : low + 1;
    double step =
        NumberAxis.createStandardTickUnits().getCeilingTickUnit((high - low) / MAX_STEPS).getSize();
    NumberAxis axis = new NumberAxis(label);
    axis.setTickUnit(new NumberTickUnit(step, numbers()));
    axis.setRange(Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step);
    return axis;
  }

  /** A linear axis for measured values, which ends at ticks and need not include 0. */
  static ValueAxis ofPart(String label, double min, double max) {
    double width = max > min ? max - min : 1;
    double step =
        NumberAxis.createStandardTickUnits().getCeilingTickUnit(width / MAX_STEPS).getSize();
    NumberAxis axis = new NumberAxis(label);
    axis.setTickUnit(new NumberTickUnit(step, numbers()));
    axis.setRange(Math.floor(min / step) * step, Math.ceil(max / step) * step);
    return axis;
  }

  /** As many ticks as there is room for, from the last below all values. */
  private static List<Double> logTicks(double min, double max) {
    double decades = Math.log10(max / min);
    List<Integer> mantissas =
        decades > WIDE_DECADES
            ? List.of(1)
            : decades > NARROW_DECADES ? List.of(1, 2, 5) : List.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    List<Double> values = new ArrayList<>();
    for (int power = (int) Math.floor(Math.log10(min)) - 1; power <= Math.log10(max) + 1; power++) {
      for (int mantissa : mantissas) {
        values.add(mantissa * Math.pow(10, power));
      }
    }
    double low = values.stream().filter(v -> v < min * 0.97).max(Double::compare).orElseThrow();
    double high =
        values.stream().filter(v -> v >= max * (1 - 1e-9)).min(Double::compare).orElseThrow();
    return values.stream().filter(v -> v >= low && v <= high).collect(Collectors.toList());
  }

  /**
   * An axis for chosen values such as queue depths and thread counts: each is a tick unless they
   * are many.
   *
   * @param values sorted, without duplicates, more than 0 on a logarithmic axis
   */
  static ValueAxis ofChoices(Scale scale, String label, List<Double> values) {
    double min = values.get(0);
    double max = values.get(values.size() - 1);
    if (values.size() > MAX_CHOICES) {
      return ofValues(scale, label, min, max);
    }
    if (scale == Scale.LOG) {
      ValueAxis axis = new TickedLogAxis(label, values);
      double margin = max > min ? Math.pow(max / min, MARGIN) : 2;
      axis.setRange(min / margin, max * margin);
      return axis;
    }
    ValueAxis axis =
        new NumberAxis(label) {
          @Override
          public List<NumberTick> refreshTicks(
              Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
            return ticks(values, edge);
          }
        };
    double margin = max > min ? (max - min) * MARGIN : 0.5;
    axis.setRange(min - margin, max + margin);
    return axis;
  }

  private static List<NumberTick> ticks(List<Double> values, RectangleEdge edge) {
    TextAnchor anchor =
        RectangleEdge.isTopOrBottom(edge) ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
    NumberFormat format = numbers();
    return values.stream()
        .map(v -> new NumberTick(v, format.format(v), anchor, TextAnchor.CENTER, 0))
        .collect(Collectors.toList());
  }

  /** Without digits that say nothing: 0.05, 2.5, 40, 1000. */
  private static NumberFormat numbers() {
    return new DecimalFormat("0.######", DecimalFormatSymbols.getInstance(Locale.ROOT));
  }

  /** JFreeChart's own logarithmic axis has ticks at powers of the base only. */
  private static final class TickedLogAxis extends LogAxis {

    private static final long serialVersionUID = 1;

    private final transient List<Double> ticks;

    TickedLogAxis(String label, List<Double> ticks) {
      super(label);
      this.ticks = List.copyOf(ticks);
    }

    @Override
    public List<NumberTick> refreshTicks(
        Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
      return ChartAxes.ticks(ticks, edge);
    }

    /** An interval that reaches 0 ends at the axis. */
    @Override
    public double valueToJava2D(double value, Rectangle2D area, RectangleEdge edge) {
      return super.valueToJava2D(Math.max(value, getLowerBound()), area, edge);
    }
  }
}
