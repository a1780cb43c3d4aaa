// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.StandardChartTheme;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.category.StatisticalBarRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.Range;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.statistics.DefaultStatisticalCategoryDataset;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** Draws a {@link Figure} as a PNG image, with JFreeChart. */
public final class FigureImage {

  /** Okabe and Ito's colours, which colour-blind people can tell apart. */
  static final List<Color> PALETTE =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9),
          new Color(0x6B6B6B),
          new Color(0x000000),
          new Color(0x7A4B2A));

  private static final int WIDTH = 860;

  /** Of a figure beside another one. */
  private static final int NARROW_WIDTH = 320;

  private static final int HEIGHT = 540;

  /** A legend of more entries, or of more characters, stands beside the plot, not below it. */
  private static final int MAX_ENTRIES_BELOW = 5;

  private static final int MAX_CHARACTERS_BELOW = 70;

  /** About the width of a character of the legend. */
  private static final int CHARACTER_WIDTH = 8;

  /** Pixels per unit of length, for sharp pictures on paper and dense screens. */
  private static final int SCALE = 2;

  private static final Color GRID = new Color(0xDDDDDD);
  private static final Color TEXT = new Color(0x222222);
  private static final Color ERROR_ON_BAR = new Color(0x333333);
  private static final BasicStroke LINE =
      new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
  private static final BasicStroke THIN_LINE = new BasicStroke(1.1f);
  private static final double CAP_LENGTH = 6;

  private static final StandardChartTheme THEME = theme();

  private final Figure figure;
  private final Map<String, Color> colours;

  private FigureImage(Figure figure, Map<String, Color> colours) {
    this.figure = figure;
    this.colours = colours;
  }

  /**
   * Draws a figure.
   *
   * @return a PNG file's content
   * @throws IllegalArgumentException if the figure has no series or more than there are colours, a
   *     series is empty, or a value on a logarithmic axis is 0 or less
   */
  public static byte[] png(Figure figure) throws IOException {
    return pngs(List.of(figure)).get(figure.id());
  }

  /**
   * Draws the figures of one experiment: a name of a series has the same colour in all of them, as
   * far as the colours go.
   *
   * @return the content of a PNG file for each figure's id
   * @throws IllegalArgumentException as {@link #png}
   */
  public static Map<String, byte[]> pngs(List<Figure> figures) throws IOException {
    Map<String, byte[]> images = new LinkedHashMap<>();
    Map<String, Color> colours = new HashMap<>();
    for (Figure figure : figures) {
      images.put(figure.id(), draw(List.of(of(figure, colours))));
    }
    return images;
  }

  /**
   * Draws figures beside one another in one picture: the first as wide as it is alone, the others
   * narrow. A name of a series has the same colour in all of them.
   *
   * @return a PNG file's content
   * @throws IllegalArgumentException as {@link #png}
   */
  public static byte[] beside(List<Figure> figures) throws IOException {
    List<FigureImage> images = new ArrayList<>();
    Map<String, Color> colours = new HashMap<>();
    for (Figure figure : figures) {
      images.add(of(figure, colours));
    }
    return draw(images);
  }

  private static FigureImage of(Figure figure, Map<String, Color> colours) {
    check(figure);
    choose(figure, colours);
    return new FigureImage(figure, colours);
  }

  private static void check(Figure figure) {
    int count = figure.series().size();
    if (count == 0 || count > PALETTE.size()) {
      throw new IllegalArgumentException(
          String.format(
              "figure %s has %d series; 1 to %d can be drawn", figure.id(), count, PALETTE.size()));
    }
    for (Figure.Series series : figure.series()) {
      if (series.y().isEmpty()) {
        throw new IllegalArgumentException(
            "figure " + figure.id() + ": series \"" + series.name() + "\" is empty");
      }
      if (figure.xScale() == Figure.Scale.LOG) {
        requirePositive(figure, series, "x", series.x());
      }
      if (figure.yScale() == Figure.Scale.LOG) {
        requirePositive(figure, series, "y", series.y());
      }
    }
  }

  private static void requirePositive(
      Figure figure, Figure.Series series, String axis, List<Double> values) {
    for (double value : values) {
      if (value <= 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "figure %s: series \"%s\" has %s = %s on a logarithmic axis, which needs more than"
                    + " 0",
                figure.id(),
                series.name(),
                axis,
                value));
      }
    }
  }

  /** Adds colours for the names that have none, or whose colour another name of the figure has. */
  private static void choose(Figure figure, Map<String, Color> colours) {
    Set<Color> used = new HashSet<>();
    List<String> without = new ArrayList<>();
    for (Figure.Series series : figure.series()) {
      Color known = colours.get(series.name());
      if (known == null || !used.add(known)) {
        without.add(series.name());
      }
    }
    List<Color> free = new ArrayList<>(PALETTE);
    free.removeAll(used);
    // Those of other figures' names come last.
    free.sort(Comparator.comparing(colours::containsValue));
    for (int i = 0; i < without.size(); i++) {
      colours.put(without.get(i), free.get(i));
    }
  }

  private static StandardChartTheme theme() {
    StandardChartTheme theme = new StandardChartTheme("report");
    theme.setExtraLargeFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
    theme.setLargeFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    theme.setRegularFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    theme.setTitlePaint(TEXT);
    theme.setAxisLabelPaint(TEXT);
    theme.setTickLabelPaint(TEXT);
    theme.setLegendItemPaint(TEXT);
    theme.setPlotBackgroundPaint(Color.WHITE);
    theme.setPlotOutlinePaint(GRID);
    theme.setDomainGridlinePaint(GRID);
    theme.setRangeGridlinePaint(GRID);
    theme.setAxisOffset(RectangleInsets.ZERO_INSETS);
    theme.setBarPainter(new StandardBarPainter());
    theme.setShadowVisible(false);
    theme.setErrorIndicatorPaint(ERROR_ON_BAR);
    return theme;
  }

  private static byte[] draw(List<FigureImage> images) throws IOException {
    System.setProperty("java.awt.headless", "true");
    int first = images.get(0).width();
    int width = first + (images.size() - 1) * NARROW_WIDTH;
    BufferedImage picture =
        new BufferedImage(SCALE * width, SCALE * HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = picture.createGraphics();
    graphics.scale(SCALE, SCALE);
    for (int i = 0; i < images.size(); i++) {
      int x = i == 0 ? 0 : first + (i - 1) * NARROW_WIDTH;
      Rectangle2D place = new Rectangle2D.Double(x, 0, i == 0 ? first : NARROW_WIDTH, HEIGHT);
      images.get(i).chart().draw(graphics, place);
    }
    graphics.dispose();
    return ChartUtils.encodeAsPNG(picture);
  }

  private JFreeChart chart() {
    Plot plot = plot();
    JFreeChart chart = new JFreeChart(figure.title(), plot);
    THEME.apply(chart);
    chart.setPadding(new RectangleInsets(10, 10, 10, 14));
    if (figure.series().size() == 1) {
      chart.removeLegend();
    } else {
      chart.getLegend().setFrame(BlockBorder.NONE);
      chart.getLegend().setItemLabelPadding(new RectangleInsets(2, 4, 2, 10));
      if (legendBeside()) {
        chart.getLegend().setPosition(RectangleEdge.RIGHT);
      }
    }
    return chart;
  }

  private Plot plot() {
    if (figure.base().isPresent()) {
      return tornado(figure.base().getAsDouble());
    }
    return figure.style() == Figure.Style.BARS ? bars() : lines();
  }

  private int width() {
    int legend = CHARACTER_WIDTH * names().mapToInt(String::length).max().orElse(0);
    return WIDTH + (legendBeside() ? legend : 0);
  }

  private Stream<String> names() {
    return figure.series().stream().map(Figure.Series::name);
  }

  private boolean legendBeside() {
    return figure.series().size() > MAX_ENTRIES_BELOW
        || names().mapToInt(String::length).sum() > MAX_CHARACTERS_BELOW;
  }

  private XYPlot lines() {
    XYIntervalSeriesCollection data = new XYIntervalSeriesCollection();
    XYErrorRenderer renderer = new XYErrorRenderer();
    // Otherwise the theme drops the colours and strokes of the series.
    renderer.setAutoPopulateSeriesPaint(false);
    renderer.setAutoPopulateSeriesStroke(false);
    renderer.setDrawXError(false);
    boolean curves = figure.style() == Figure.Style.CURVES;
    renderer.setDrawYError(!curves);
    renderer.setDefaultShapesVisible(!curves);
    renderer.setDefaultLinesVisible(true);
    renderer.setErrorStroke(THIN_LINE);
    renderer.setCapLength(CAP_LENGTH);
    for (Figure.Series series : figure.series()) {
      XYIntervalSeries points = new XYIntervalSeries(series.name());
      for (int i = 0; i < series.y().size(); i++) {
        double x = series.x().get(i);
        double y = series.y().get(i);
        double error = series.error().get(i);
        points.add(x, x, x, y, y - error, y + error);
      }
      int number = data.getSeriesCount();
      data.addSeries(points);
      renderer.setSeriesPaint(number, colours.get(series.name()));
      renderer.setSeriesStroke(number, LINE);
    }
    List<Double> x =
        figure.series().stream()
            .flatMap(series -> series.x().stream())
            .sorted()
            .distinct()
            .collect(Collectors.toList());
    XYPlot plot =
        new XYPlot(
            data,
            ChartAxes.ofChoices(figure.xScale(), figure.xLabel(), x),
            yAxis(renderer.findRangeBounds(data)),
            renderer);
    plot.setDomainGridlineStroke(THIN_LINE);
    plot.setRangeGridlineStroke(THIN_LINE);
    return plot;
  }

  private CategoryPlot bars() {
    DefaultStatisticalCategoryDataset data = new DefaultStatisticalCategoryDataset();
    StatisticalBarRenderer renderer = new StatisticalBarRenderer();
    renderer.setAutoPopulateSeriesPaint(false);
    renderer.setItemMargin(0);
    renderer.setErrorIndicatorStroke(THIN_LINE);
    for (Figure.Series series : figure.series()) {
      for (int i = 0; i < series.y().size(); i++) {
        double error = series.error().get(i);
        // Without an interval, no error bar.
        data.add(
            series.y().get(i), error > 0 ? error : null, series.name(), figure.categories().get(i));
      }
      renderer.setSeriesPaint(data.getRowIndex(series.name()), colours.get(series.name()));
    }
    CategoryAxis categories = new CategoryAxis(figure.xLabel());
    categories.setMaximumCategoryLabelLines(2);
    renderer.setIncludeBaseInRange(figure.yScale() == Figure.Scale.LINEAR);
    ValueAxis values = yAxis(renderer.findRangeBounds(data));
    if (figure.yScale() == Figure.Scale.LOG) {
      renderer.setBase(values.getLowerBound());
    }
    CategoryPlot plot = new CategoryPlot(data, categories, values, renderer);
    plot.setRangeGridlineStroke(THIN_LINE);
    plot.setRangeZeroBaselineVisible(true);
    return plot;
  }

  /** Bars that lie and begin at a value. */
  private CategoryPlot tornado(double base) {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    BarRenderer renderer = new BarRenderer();
    renderer.setAutoPopulateSeriesPaint(false);
    renderer.setItemMargin(0);
    renderer.setBase(base);
    for (Figure.Series series : figure.series()) {
      for (int i = 0; i < series.y().size(); i++) {
        data.addValue(series.y().get(i), series.name(), figure.categories().get(i));
      }
      renderer.setSeriesPaint(data.getRowIndex(series.name()), colours.get(series.name()));
    }
    CategoryAxis categories = new CategoryAxis(figure.xLabel());
    categories.setMaximumCategoryLabelWidthRatio(0.45f);
    Range range = Range.expandToInclude(renderer.findRangeBounds(data), base);
    ValueAxis values =
        ChartAxes.ofPart(figure.yLabel(), range.getLowerBound(), range.getUpperBound());
    CategoryPlot plot = new CategoryPlot(data, categories, values, renderer);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
    plot.setRangeGridlineStroke(THIN_LINE);
    plot.addRangeMarker(new ValueMarker(base, TEXT, THIN_LINE));
    return plot;
  }

  /** With room for all intervals, except that none reaches below 0 where no value does. */
  private ValueAxis yAxis(Range withIntervals) {
    double min =
        figure.series().stream()
            .flatMap(series -> series.y().stream())
            .min(Double::compare)
            .orElseThrow();
    double low = withIntervals.getLowerBound();
    if (figure.yScale() == Figure.Scale.LOG) {
      // Even the smallest bar has a height.
      low = (low > 0 ? low : min) / (figure.style() == Figure.Style.BARS ? 2 : 1);
    } else if (min >= 0) {
      low = Math.max(0, low);
    }
    return ChartAxes.ofValues(figure.yScale(), figure.yLabel(), low, withIntervals.getUpperBound());
  }
}
