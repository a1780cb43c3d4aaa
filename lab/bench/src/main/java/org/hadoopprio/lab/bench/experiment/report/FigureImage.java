// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment.report;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Draws figures as a PNG image, by gnuplot. */
public final class FigureImage {

  /** Okabe and Ito's colours, which colour-blind people can tell apart. */
  private static final List<String> PALETTE =
      List.of(
          "0072B2", "D55E00", "009E73", "CC79A7", "E69F00", "56B4E9", "6B6B6B", "000000", "7A4B2A");

  private static final int WIDTH = 1720;
  private static final int NARROW_WIDTH = 640;
  private static final int HEIGHT = 1080;

  private final StringBuilder script = new StringBuilder();

  private FigureImage() {}

  /**
   * Draws figures beside one another in one picture: the first wide, the others narrow. Values of 0
   * or less on a logarithmic axis are left out.
   *
   * @return a PNG file's content
   * @throws IOException if nothing can be drawn: gnuplot is missing, a figure has no series, or no
   *     value of it can be shown
   */
  public static byte[] png(List<Figure> figures) throws IOException {
    int width = WIDTH + (figures.size() - 1) * NARROW_WIDTH;
    FigureImage image = new FigureImage();
    image.line("set terminal pngcairo noenhanced size %d,%d fontscale 1.7", width, HEIGHT);
    image.line("set multiplot");
    double left = 0;
    for (Figure figure : figures) {
      double part = (figure.equals(figures.get(0)) ? WIDTH : NARROW_WIDTH) / (double) width;
      image.line("reset\nset origin %f,0\nset size %f,1", left, part);
      image.draw(figure);
      left += part;
    }
    image.line("unset multiplot");
    return run(image.script.toString());
  }

  private static byte[] run(String script) throws IOException {
    Path file = Files.createTempFile("figure", ".gp");
    Path errors = Files.createTempFile("figure", ".log");
    try {
      Files.writeString(file, script);
      Process gnuplot =
          new ProcessBuilder("gnuplot", file.toString()).redirectError(errors.toFile()).start();
      byte[] png = gnuplot.getInputStream().readAllBytes();
      if (gnuplot.waitFor() != 0 || png.length == 0) {
        String said = Files.readString(errors, StandardCharsets.ISO_8859_1);
        throw new IOException("gnuplot: " + said.strip());
      }
      return png;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while gnuplot was running");
    } finally {
      Files.delete(file);
      Files.delete(errors);
    }
  }

  private void line(String format, Object... values) {
    script.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private void draw(Figure figure) throws IOException {
    if (figure.series().isEmpty()) {
      throw new IOException("figure " + figure.id() + " has no series");
    }
    line("set title %s\nset xlabel %s", quoted(figure.title()), quoted(figure.xLabel()));
    line("set ylabel %s\nset grid\nset bmargin 6\nset key below", quoted(figure.yLabel()));
    if (figure.series().size() == 1) {
      line("unset key");
    }
    if (figure.base().isPresent()) {
      tornado(figure, figure.base().getAsDouble());
      return;
    }
    if (figure.xScale() == Figure.Scale.LOG) {
      line("set logscale x");
    }
    if (figure.yScale() == Figure.Scale.LOG) {
      line("set logscale y");
    } else if (figure.series().stream().flatMap(s -> s.y().stream()).allMatch(y -> y >= 0)) {
      line("set yrange [0:*]");
    }
    if (figure.style() == Figure.Style.BARS) {
      line(
          "set style data histograms\nset style histogram errorbars gap 1 lw 2\nset style fill solid border -1");
    }
    for (int i = 0; i < figure.series().size(); i++) {
      data(figure, i);
    }
    script.append("plot ");
    for (int i = 0; i < figure.series().size(); i++) {
      plot(figure, i);
    }
    line("");
  }

  /** A block with the category or x, y and the half width of the interval. */
  private void data(Figure figure, int number) {
    Figure.Series series = figure.series().get(number);
    line("$d%d << EOD", number);
    for (int i = 0; i < series.y().size(); i++) {
      String x =
          figure.style() == Figure.Style.BARS
              ? "\"" + figure.categories().get(i).replace('"', '\'') + "\""
              : series.x().get(i).toString();
      line("%s %s %s", x, series.y().get(i), series.error().get(i));
    }
    line("EOD");
  }

  private void plot(Figure figure, int number) {
    String block = "$d" + number;
    String colour = "lc rgb '#" + PALETTE.get(number % PALETTE.size()) + "'";
    String title = " title " + quoted(figure.series().get(number).name());
    String part =
        switch (figure.style()) {
          case BARS -> block + " using 2:3:xtic(1) " + colour + title;
          case CURVES -> block + " using 1:2 with lines lw 3 " + colour + title;
          case LINES ->
              block
                  + (" using 1:2 with linespoints lw 3 pt 7 " + colour + title + ", " + block)
                  + (" using 1:2:3 with yerrorbars lw 2 pt 7 " + colour + " notitle");
        };
    script.append(number == 0 ? "" : ", ").append(part);
  }

  /** Bars that lie and begin at a value. */
  private void tornado(Figure figure, double base) {
    int count = figure.series().size();
    line("unset ylabel\nset xlabel %s\nset style fill solid", quoted(figure.yLabel()));
    line("set yrange [%f:0.5]", 0.5 - figure.categories().size());
    for (int i = 0; i < figure.categories().size(); i++) {
      line(
          "%s (%s %d)",
          i == 0 ? "set ytics" : "set ytics add", quoted(figure.categories().get(i)), -i);
    }
    line("set arrow from %s, graph 0 to %s, graph 1 nohead", base, base);
    for (int number = 0; number < count; number++) {
      line("$d%d << EOD", number);
      for (int i = 0; i < figure.categories().size(); i++) {
        double top = 0.4 - i - 0.8 * number / count;
        double value = figure.series().get(number).y().get(i);
        line("%s %s %s %s", base, value, top - 0.8 / count, top);
      }
      line("EOD");
    }
    script.append("plot ");
    for (int number = 0; number < count; number++) {
      script.append(number == 0 ? "" : ", ");
      script
          .append("$d")
          .append(number)
          .append(" using (($1+$2)/2):(($3+$4)/2):1:2:3:4 with boxxy");
      script.append(" lc rgb '#").append(PALETTE.get(number % PALETTE.size())).append("'");
      script.append(" title ").append(quoted(figure.series().get(number).name()));
    }
    line("");
  }
}
