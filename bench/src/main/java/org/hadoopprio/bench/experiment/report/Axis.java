package org.hadoopprio.bench.experiment.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hadoopprio.bench.experiment.report.Figure.Scale;

/**
 * An axis: its range, its ticks, and where a value stands on it. Positions are values on a linear
 * axis and decimal logarithms on a logarithmic one. Immutable.
 */
final class Axis {

  /** One tick. */
  static final class Tick {
    final double position;
    final String label;

    private Tick(double position, String label) {
      this.position = position;
      this.label = label;
    }

    @Override
    public String toString() {
      return label;
    }
  }

  private static final int MOST_STEPS = 8;
  private static final int MOST_VALUES = 10;
  private static final double WIDE_DECADES = 3;
  private static final double NARROW_DECADES = 0.8;

  private final Scale scale;
  private final double low;
  private final double high;
  private final List<Tick> ticks;

  private Axis(Scale scale, double low, double high, List<Tick> ticks) {
    this.scale = scale;
    this.low = low;
    this.high = high;
    this.ticks = List.copyOf(ticks);
  }

  /**
   * An axis for measured values, which ends at ticks and has 0 on it when it is linear.
   *
   * @param least the least value to show, more than 0 on a logarithmic axis
   * @param greatest the greatest
   */
  static Axis ofValues(Scale scale, double least, double greatest) {
    return scale == Scale.LOG ? logarithmic(least, greatest) : linear(least, greatest);
  }

  private static Axis linear(double least, double greatest) {
    double from = Math.min(0, least);
    double to = greatest > from ? greatest : from + 1;
    double step = step(to - from);
    List<Tick> ticks = new ArrayList<>();
    long first = (long) Math.floor(from / step + 1e-9);
    long last = (long) Math.ceil(to / step - 1e-9);
    for (long i = first; i <= last; i++) {
      ticks.add(new Tick(i * step, label(i * step)));
    }
    return new Axis(Scale.LINEAR, first * step, last * step, ticks);
  }

  /** 1, 2 or 5 times a power of ten, so that there are few steps. */
  private static double step(double range) {
    double step = Math.pow(10, Math.floor(Math.log10(range / MOST_STEPS)));
    for (double factor : new double[] {1, 2, 5, 10}) {
      if (range / (step * factor) <= MOST_STEPS) {
        return step * factor;
      }
    }
    throw new IllegalStateException("no step for " + range);
  }

  private static Axis logarithmic(double least, double greatest) {
    double decades = Math.log10(greatest / least);
    int[] mantissas =
        decades > WIDE_DECADES
            ? new int[] {1}
            : decades > NARROW_DECADES
                ? new int[] {1, 2, 5}
                : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9};
    List<Double> values = new ArrayList<>();
    int first = (int) Math.floor(Math.log10(least)) - 1;
    int last = (int) Math.ceil(Math.log10(greatest)) + 1;
    for (int power = first; power <= last; power++) {
      for (int mantissa : mantissas) {
        values.add(mantissa * Math.pow(10, power));
      }
    }
    // From the last tick clearly below all values, to the first that is not below any.
    double from = values.stream().filter(v -> v < least * 0.97).max(Double::compare).orElseThrow();
    double to =
        values.stream().filter(v -> v >= greatest * (1 - 1e-9)).min(Double::compare).orElseThrow();
    List<Tick> ticks =
        values.stream()
            .filter(v -> v >= from && v <= to)
            .map(v -> new Tick(Math.log10(v), label(v)))
            .collect(Collectors.toList());
    return new Axis(Scale.LOG, Math.log10(from), Math.log10(to), ticks);
  }

  /**
   * An axis for chosen values: each is a tick while they are few, which suits queue depths and
   * thread counts.
   *
   * @param values sorted, without duplicates, more than 0 on a logarithmic axis
   */
  static Axis ofChoices(Scale scale, List<Double> values) {
    double least = values.get(0);
    double greatest = values.get(values.size() - 1);
    List<Tick> ticks;
    if (values.size() <= MOST_VALUES) {
      ticks =
          values.stream()
              .map(v -> new Tick(position(scale, v), label(v)))
              .collect(Collectors.toList());
    } else {
      double from = position(scale, least);
      double to = position(scale, greatest);
      ticks =
          ofValues(scale, least, greatest).ticks.stream()
              .filter(tick -> tick.position >= from - 1e-9 && tick.position <= to + 1e-9)
              .collect(Collectors.toList());
    }
    return withMargin(scale, position(scale, least), position(scale, greatest), ticks);
  }

  private static Axis withMargin(Scale scale, double from, double to, List<Tick> ticks) {
    double margin = to > from ? (to - from) * 0.04 : 0.5;
    return new Axis(scale, from - margin, to + margin, ticks);
  }

  /** An axis of categories, at 0, 1, 2 and so on. */
  static Axis ofCategories(List<String> names) {
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      ticks.add(new Tick(i, names.get(i)));
    }
    return new Axis(Scale.LINEAR, -0.5, names.size() - 0.5, ticks);
  }

  /** Where a value stands; at the axis's end where it is beyond its lower one. */
  double position(double value) {
    if (scale == Scale.LOG && value <= 0) {
      return low;
    }
    return Math.max(position(scale, value), low);
  }

  private static double position(Scale scale, double value) {
    return scale == Scale.LOG ? Math.log10(value) : value;
  }

  /** The position of the lower end. */
  double low() {
    return low;
  }

  /** The position of the upper end. */
  double high() {
    return high;
  }

  List<Tick> ticks() {
    return ticks;
  }

  /** A number without digits that say nothing: 0.05, 2.5, 40, 1000. */
  private static String label(double value) {
    String text = String.format(Locale.ROOT, "%.6f", value);
    return text.replaceAll("\\.?0+$", "").replaceAll("^-0$", "0");
  }
}
