// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A figure: series of points with error bars or curves over a numeric axis, or bars over
 * categories. It holds the data only. Not safe for use by several threads.
 */
public final class Figure {

  /** How the series are drawn. */
  public enum Style {
    /** Points joined by lines over a numeric x axis. */
    LINES,
    /** Lines through so many points that none is marked; without error bars. */
    CURVES,
    /** A bar for each series in each category. */
    BARS
  }

  /** A scale of an axis. */
  public enum Scale {
    LINEAR,
    LOG
  }

  /**
   * One series.
   *
   * @param x empty for bars: the figure's categories stand for it
   * @param error half widths of the 95 % confidence intervals; 0 where there is none
   */
  public record Series(String name, List<Double> x, List<Double> y, List<Double> error) {
    public Series {
      x = List.copyOf(x);
      y = List.copyOf(y);
      error = List.copyOf(error);
    }
  }

  private final String id;
  private final String title;
  private final String xLabel;
  private final String yLabel;
  private final Style style;
  private final List<String> categories;
  private final List<Series> series = new ArrayList<>();
  private Scale xScale = Scale.LINEAR;
  private Scale yScale = Scale.LINEAR;
  private OptionalDouble base = OptionalDouble.empty();
  private String caption = "";

  private Figure(
      String id, String title, String xLabel, String yLabel, Style style, List<String> categories) {
    this.id = id;
    this.title = title;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
    this.style = style;
    this.categories = List.copyOf(categories);
  }

  /**
   * A figure of lines.
   *
   * @param id the PNG file's name without {@code .png}
   */
  public static Figure lines(String id, String title, String xLabel, String yLabel) {
    return new Figure(id, title, xLabel, yLabel, Style.LINES, List.of());
  }

  /** A figure of curves; otherwise as {@link #lines}. */
  public static Figure curves(String id, String title, String xLabel, String yLabel) {
    return new Figure(id, title, xLabel, yLabel, Style.CURVES, List.of());
  }

  /** A figure of bars, grouped by category. */
  public static Figure bars(
      String id, String title, String xLabel, String yLabel, List<String> categories) {
    return new Figure(id, title, xLabel, yLabel, Style.BARS, categories);
  }

  /** Makes the x axis logarithmic; not for bars. */
  public Figure logX() {
    this.xScale = Scale.LOG;
    return this;
  }

  /** Makes the y axis logarithmic. */
  public Figure logY() {
    this.yScale = Scale.LOG;
    return this;
  }

  /** Makes bars lie, one below the other, and begin at a value: a tornado. For bars only. */
  public Figure tornado(double value) {
    this.base = OptionalDouble.of(value);
    return this;
  }

  /** Sets the sentence below the figure. */
  public Figure caption(String text) {
    this.caption = text;
    return this;
  }

  /** Adds a series of a figure of lines or curves. */
  public Figure series(String name, List<Double> x, List<Double> y, List<Double> error) {
    requireEqual(name, x.size(), y.size(), error.size());
    series.add(new Series(name, x, y, error));
    return this;
  }

  /** Adds a series of a figure of bars, a value per category. */
  public Figure series(String name, List<Double> y, List<Double> error) {
    requireEqual(name, categories.size(), y.size(), error.size());
    series.add(new Series(name, List.of(), y, error));
    return this;
  }

  private static void requireEqual(String name, int... sizes) {
    for (int size : sizes) {
      if (size != sizes[0]) {
        throw new IllegalArgumentException("series \"" + name + "\": lists of different length");
      }
    }
  }

  public String id() {
    return id;
  }

  public String title() {
    return title;
  }

  public String xLabel() {
    return xLabel;
  }

  public String yLabel() {
    return yLabel;
  }

  public Style style() {
    return style;
  }

  public List<String> categories() {
    return categories;
  }

  public List<Series> series() {
    return Collections.unmodifiableList(series);
  }

  public Scale xScale() {
    return xScale;
  }

  public Scale yScale() {
    return yScale;
  }

  /** Where the bars of a tornado begin; empty for other figures. */
  public OptionalDouble base() {
    return base;
  }

  public String caption() {
    return caption;
  }
}
