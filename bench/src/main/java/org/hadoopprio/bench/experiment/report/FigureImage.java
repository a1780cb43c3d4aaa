package org.hadoopprio.bench.experiment.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws a {@link Figure} as a PNG image. XChart draws the series, title and legend; the ticks are
 * drawn here, because XChart cannot place them at chosen values nor keep the labels of a
 * logarithmic axis apart.
 */
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
  private static final int HEIGHT = 540;

  /** Pixels per unit of length, for sharp pictures on paper and dense screens. */
  private static final int SCALE = 2;

  private static final Marker[] MARKERS = {
    SeriesMarkers.CIRCLE,
    SeriesMarkers.SQUARE,
    SeriesMarkers.DIAMOND,
    SeriesMarkers.TRIANGLE_UP,
    SeriesMarkers.TRIANGLE_DOWN,
    SeriesMarkers.CROSS,
    SeriesMarkers.OVAL,
    SeriesMarkers.RECTANGLE,
    SeriesMarkers.PLUS
  };

  private static final Color INVISIBLE = new Color(255, 255, 255, 0);
  private static final Color GRID = new Color(0xDDDDDD);
  private static final Color TEXT = new Color(0x222222);
  private static final Color ERROR_ON_BAR = new Color(0x333333);
  private static final BasicStroke LINE =
      new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
  private static final BasicStroke THIN_LINE = new BasicStroke(1.1f);
  private static final Font TICK_FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  private static final Font TITLE_FONT = new Font(Font.SANS_SERIF, Font.BOLD, 16);
  private static final Font LABEL_FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 14);

  /** The share of a category's width that its bars take. */
  private static final double BARS_SHARE = 0.8;

  private static final int TICK_GAP = 6;

  /** About the mean width of a character of a tick's label. */
  private static final double CHARACTER_WIDTH = 7.5;

  /** About the width of the line and the gaps beside a series' name in the legend. */
  private static final double SAMPLE_WIDTH = 50;

  /** About the share of the picture's width that the plot has. */
  private static final double PLOT_SHARE = 0.88;

  private final Figure figure;
  private final Axis xAxis;
  private final Axis yAxis;
  private final int width;
  private final XYChart chart;

  private FigureImage(Figure figure) {
    this.figure = figure;
    this.xAxis =
        figure.style() == Figure.Style.BARS
            ? Axis.ofCategories(figure.categories())
            : Axis.ofChoices(figure.xScale(), allX());
    this.yAxis = Axis.ofValues(figure.yScale(), least(), greatest());
    this.width = legendBeside() ? WIDTH + (int) longestEntry() : WIDTH;
    this.chart =
        new XYChartBuilder()
            .width(width)
            .height(HEIGHT)
            .title(figure.title())
            .xAxisTitle(figure.xLabel())
            .yAxisTitle(figure.yLabel())
            .build();
  }

  /**
   * Draws a figure.
   *
   * @return a PNG file's content
   * @throws IllegalArgumentException if the figure has no series or more than there are colours, a
   *     series is empty, or a value on a logarithmic axis is 0 or less
   */
  public static byte[] png(Figure figure) throws IOException {
    check(figure);
    System.setProperty("java.awt.headless", "true");
    return new FigureImage(figure).draw();
  }

  private static void check(Figure figure) {
    int count = figure.series().size();
    if (count == 0 || count > PALETTE.size()) {
      throw new IllegalArgumentException(
          "figure "
              + figure.id()
              + " has "
              + count
              + " series; 1 to "
              + PALETTE.size()
              + " can be drawn");
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

  private List<Double> allX() {
    return figure.series().stream()
        .flatMap(series -> series.x().stream())
        .sorted()
        .distinct()
        .collect(Collectors.toList());
  }

  /** The least value, or the lower end of its interval where that can be shown. */
  private double least() {
    double least = Double.MAX_VALUE;
    for (Figure.Series series : figure.series()) {
      for (int i = 0; i < series.y().size(); i++) {
        double value = series.y().get(i);
        double low = value - series.error().get(i);
        least = Math.min(least, figure.yScale() == Figure.Scale.LOG && low <= 0 ? value : low);
      }
    }
    if (figure.yScale() == Figure.Scale.LOG) {
      // The least bar still has a height.
      return figure.style() == Figure.Style.BARS ? least / 2 : least;
    }
    return noneNegative() ? Math.max(0, least) : least;
  }

  private boolean noneNegative() {
    return figure.series().stream()
        .flatMap(series -> series.y().stream())
        .noneMatch(value -> value < 0);
  }

  private double greatest() {
    double greatest = -Double.MAX_VALUE;
    for (Figure.Series series : figure.series()) {
      for (int i = 0; i < series.y().size(); i++) {
        greatest = Math.max(greatest, series.y().get(i) + series.error().get(i));
      }
    }
    return greatest;
  }

  private byte[] draw() throws IOException {
    style();
    for (int number = 0; number < figure.series().size(); number++) {
      if (figure.style() == Figure.Style.BARS) {
        addBars(number);
      } else {
        addLine(number);
      }
    }
    // Where things are is known once they are drawn: the first drawing is for that alone.
    Graphics2D scratch = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    chart.paint(scratch, width, HEIGHT);
    scratch.dispose();

    BufferedImage image =
        new BufferedImage(width * SCALE, HEIGHT * SCALE, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.scale(SCALE, SCALE);
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, width, HEIGHT);
      drawTicks(graphics);
      chart.paint(graphics, width, HEIGHT);
    } finally {
      graphics.dispose();
    }
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(image, "png", png);
    return png.toByteArray();
  }

  private void style() {
    XYStyler styler = chart.getStyler();
    styler.setXAxisMin(xAxis.low()).setXAxisMax(xAxis.high());
    styler.setYAxisMin(yAxis.low()).setYAxisMax(yAxis.high());
    styler.setPlotGridLinesVisible(false).setPlotContentSize(1);
    // XChart's own ticks only keep the room free.
    String widest =
        yAxis.ticks().stream().map(Axis.Tick::toString).max(this::byLength).orElseThrow();
    styler.setyAxisTickLabelsFormattingFunction(
        value -> String.format(Locale.ROOT, "%" + widest.length() + ".2f", value));
    styler.setXAxisTickLabelsColor(INVISIBLE).setYAxisTickLabelsColor(INVISIBLE);
    styler.setAxisTicksLineVisible(false).setAxisTicksMarksVisible(false);
    styler.setAxisTickLabelsFont(TICK_FONT).setAxisTitleFont(LABEL_FONT);
    styler.setChartBackgroundColor(INVISIBLE).setPlotBackgroundColor(INVISIBLE);
    styler.setChartFontColor(TEXT).setPlotBorderColor(GRID).setChartPadding(14);
    styler.setChartTitleFont(TITLE_FONT).setChartTitleBoxVisible(false).setChartTitlePadding(10);
    if (legendBeside()) {
      styler.setLegendPosition(Styler.LegendPosition.OutsideE);
      styler.setLegendLayout(Styler.LegendLayout.Vertical);
    } else {
      styler.setLegendPosition(Styler.LegendPosition.OutsideS);
      styler.setLegendLayout(Styler.LegendLayout.Horizontal);
    }
    styler.setLegendFont(TICK_FONT).setLegendBorderColor(INVISIBLE);
    styler.setLegendBackgroundColor(INVISIBLE);
    styler.setLegendVisible(figure.series().size() > 1);
    styler.setMarkerSize(8).setAntiAlias(true);
    if (inTwoLines()) {
      styler.setAxisTitlePadding(TICK_FONT.getSize() + 2 * TICK_GAP);
    }
  }

  /** Whether the legend's entries are too many to stand in one line below the plot. */
  private boolean legendBeside() {
    return entryWidths().sum() > WIDTH * PLOT_SHARE;
  }

  private double longestEntry() {
    return entryWidths().max().orElse(0);
  }

  private DoubleStream entryWidths() {
    return figure.series().stream()
        .mapToDouble(series -> series.name().length() * CHARACTER_WIDTH + SAMPLE_WIDTH);
  }

  /** Whether the categories' names are too long to stand next to each other. */
  private boolean inTwoLines() {
    int characters = figure.categories().stream().mapToInt(String::length).max().orElse(0);
    return figure.categories().size() * (characters + 1) * CHARACTER_WIDTH > WIDTH * PLOT_SHARE;
  }

  private List<String> lines(String label) {
    int space = label.lastIndexOf(' ', label.length() / 2 + 2);
    if (space < 0) {
      space = label.indexOf(' ');
    }
    return inTwoLines() && space > 0
        ? List.of(label.substring(0, space), label.substring(space + 1))
        : List.of(label);
  }

  private int byLength(String a, String b) {
    return Integer.compare(a.length(), b.length());
  }

  private void addLine(int number) {
    Figure.Series series = figure.series().get(number);
    List<Double> x = series.x().stream().map(xAxis::position).collect(Collectors.toList());
    List<Double> y = series.y().stream().map(yAxis::position).collect(Collectors.toList());
    XYSeries drawn = chart.addSeries(series.name(), x, y);
    drawn.setLineColor(PALETTE.get(number)).setLineStyle(LINE);
    drawn.setMarker(MARKERS[number]).setMarkerColor(PALETTE.get(number));
    for (int i = 0; i < x.size(); i++) {
      addError(series, i, x.get(i), PALETTE.get(number));
    }
  }

  /** One outline along the axis and up around each bar. */
  private void addBars(int number) {
    Figure.Series series = figure.series().get(number);
    double width = BARS_SHARE / figure.series().size();
    double base = yAxis.position(0);
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int i = 0; i < series.y().size(); i++) {
      double left = i - BARS_SHARE / 2 + number * width;
      double right = left + width;
      double top = yAxis.position(series.y().get(i));
      x.addAll(List.of(left, left, right, right));
      y.addAll(List.of(base, top, top, base));
    }
    XYSeries drawn = chart.addSeries(series.name(), x, y);
    drawn.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
    drawn.setFillColor(PALETTE.get(number));
    drawn.setMarker(SeriesMarkers.NONE).setLineColor(INVISIBLE);
    for (int i = 0; i < series.y().size(); i++) {
      addError(series, i, x.get(4 * i) + width / 2, ERROR_ON_BAR);
    }
  }

  private void addError(Figure.Series series, int index, double x, Color colour) {
    double error = series.error().get(index);
    if (error <= 0) {
      return;
    }
    double value = series.y().get(index);
    XYSeries bar =
        chart.addSeries(
            series.name() + " interval " + index,
            List.of(x, x),
            List.of(yAxis.position(value - error), yAxis.position(value + error)));
    bar.setLineColor(colour).setLineStyle(THIN_LINE);
    bar.setMarker(new Cap()).setMarkerColor(colour);
    bar.setShowInLegend(false);
  }

  /** The end of an error bar. */
  private static final class Cap extends Marker {
    @Override
    public void paint(Graphics2D graphics, double x, double y, int size) {
      graphics.setStroke(THIN_LINE);
      graphics.drawLine((int) (x - size / 2.0), (int) y, (int) (x + size / 2.0), (int) y);
    }
  }

  private void drawTicks(Graphics2D graphics) {
    int left = (int) chart.getScreenXFromChart(xAxis.low());
    int right = (int) chart.getScreenXFromChart(xAxis.high());
    int bottom = (int) chart.getScreenYFromChart(yAxis.low());
    int top = (int) chart.getScreenYFromChart(yAxis.high());
    graphics.setFont(TICK_FONT);
    graphics.setStroke(new BasicStroke(0.8f));
    FontMetrics metrics = graphics.getFontMetrics();
    for (Axis.Tick tick : yAxis.ticks()) {
      int y = (int) chart.getScreenYFromChart(tick.position);
      graphics.setColor(GRID);
      graphics.drawLine(left, y, right, y);
      graphics.setColor(TEXT);
      graphics.drawString(
          tick.label,
          left - TICK_GAP - metrics.stringWidth(tick.label),
          y + metrics.getAscent() / 2 - 1);
    }
    boolean categories = figure.style() == Figure.Style.BARS;
    for (Axis.Tick tick : xAxis.ticks()) {
      int x = (int) chart.getScreenXFromChart(tick.position);
      if (!categories) {
        graphics.setColor(GRID);
        graphics.drawLine(x, top, x, bottom);
      }
      graphics.setColor(TEXT);
      int y = bottom + TICK_GAP + metrics.getAscent();
      for (String line : lines(tick.label)) {
        graphics.drawString(line, x - metrics.stringWidth(line) / 2, y);
        y += metrics.getHeight();
      }
    }
  }
}
