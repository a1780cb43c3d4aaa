// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class FigureImageTest {

  /**
   * A line or bar of a few points has far more; text and antialiasing of other colours has none.
   */
  private static final int FEW_PIXELS = 200;

  private static final List<Double> DEPTHS = List.of(1.0, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0);

  private static List<Double> times(List<Double> values, double factor) {
    List<Double> all = new ArrayList<>();
    values.forEach(value -> all.add(value * factor));
    return all;
  }

  private static BufferedImage draw(Figure figure) throws IOException {
    byte[] png = FigureImage.png(figure);
    // For people who change the drawing: the files show what it looks like.
    Path directory = Files.createDirectories(Path.of("target", "figures"));
    Files.write(directory.resolve(figure.id() + ".png"), png);
    return ImageIO.read(new ByteArrayInputStream(png));
  }

  private static int pixels(BufferedImage image, int series) {
    int wanted = FigureImage.PALETTE.get(series).getRGB();
    int count = 0;
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        count += image.getRGB(x, y) == wanted ? 1 : 0;
      }
    }
    return count;
  }

  private static void assertDrawn(Figure figure) throws IOException {
    BufferedImage image = draw(figure);
    assertTrue(image.getWidth() >= 1600, "sharp on paper: " + image.getWidth());
    for (int series = 0; series < FigureImage.PALETTE.size(); series++) {
      int found = pixels(image, series);
      if (series < figure.series().size()) {
        assertTrue(found > FEW_PIXELS, "series " + series + " has " + found + " pixels");
      } else {
        assertTrue(found < FEW_PIXELS, "no series " + series + ", but " + found + " pixels");
      }
    }
  }

  @Test
  void linesWithErrorsOnLogarithmicAxes() throws IOException {
    Figure figure =
        Figure.lines("lines", "Latency over queue depth", "queue depth", "p99 latency [ms]")
            .logX()
            .logY();
    int number = 1;
    for (String name :
        List.of("none, off", "none, on", "mq-deadline, off", "mq-deadline, on", "bfq, off")) {
      List<Double> y = times(DEPTHS, 5 * number++);
      figure.series(name, DEPTHS, y, times(y, 0.4));
    }
    assertDrawn(figure);
  }

  /** The sample beside the last name of a legend that does not fit into a line. */
  @Test
  void aLegendOfManyNamesIsNotCut() throws IOException {
    Figure figure = Figure.lines("many", "Closed loop", "threads", "MB/s");
    for (int i = 0; i < FigureImage.PALETTE.size(); i++) {
      List<Double> y = List.of(1.0 + i, 2.0 + i);
      figure.series("a system with a long name " + i, List.of(1.0, 2.0), y, List.of(0.0, 0.0));
    }
    assertDrawn(figure);
    int last = FigureImage.PALETTE.size() - 1;
    BufferedImage image = draw(figure);
    assertTrue(pixels(image, last) > pixels(image.getSubimage(0, 0, 1500, 1080), last) + 50);
  }

  /** The first figure lacks the first of the second's series. */
  @Test
  void aSystemHasOneColourInAllFiguresOfAnExperiment() throws IOException {
    List<Double> x = List.of(1.0, 2.0);
    List<Double> none = List.of(0.0, 0.0);
    Figure background = Figure.lines("background", "Background", "threads", "MB/s");
    background.series("stock", x, List.of(9.0, 8.0), none);
    background.series("hadoop-prio", x, List.of(7.0, 5.0), none);
    Figure latency = Figure.lines("latency", "Latency", "threads", "ms");
    latency.series("alone", x, List.of(1.0, 2.0), none);
    latency.series("stock", x, List.of(9.0, 8.0), none);
    Map<String, byte[]> images = FigureImage.pngs(List.of(background, latency));
    assertEquals(Set.of("background", "latency"), images.keySet());
    BufferedImage second = ImageIO.read(new ByteArrayInputStream(images.get("latency")));
    assertTrue(pixels(second, 0) > FEW_PIXELS, "stock as in the first figure");
    assertTrue(pixels(second, 2) > FEW_PIXELS, "alone has a colour that no other system has");
  }

  @Test
  void linesOnLinearAxes() throws IOException {
    assertDrawn(
        Figure.lines("linear", "Throughput", "share of high priority [%]", "IOPS")
            .series(
                "here", List.of(0.0, 20.0, 40.0), List.of(0.0, 150.0, 131.0), List.of(3., 5., 9.))
            .series("published", List.of(20.0, 40.0), List.of(156.0, 158.0), List.of(0.0, 0.0)));
  }

  @Test
  void aLowerEndBelowZeroStaysInALogarithmicPicture() throws IOException {
    assertDrawn(
        Figure.lines("wide", "Wide intervals", "threads", "ms")
            .logY()
            .series("a", List.of(1.0, 2.0), List.of(10.0, 100.0), List.of(20.0, 10.0)));
  }

  @Test
  void barsWithErrors() throws IOException {
    List<String> categories = List.of("stock", "throttled", "ionice", "host only", "full", "bound");
    Figure linear = Figure.bars("bars", "Gets beside 16 streams", "", "latency [ms]", categories);
    Figure log = Figure.bars("bars-log", "Gets beside 16 streams", "", "latency [ms]", categories);
    List<Double> mean = List.of(283.0, 120.0, 290.0, 70.0, 19.6, 12.5);
    for (Figure figure : List.of(linear, log)) {
      figure.series("mean", mean, times(mean, 0.1)).series("p95", times(mean, 2), times(mean, 0.2));
    }
    assertDrawn(linear);
    assertDrawn(log.logY());
  }

  @Test
  void zeroOnALogarithmicAxisIsRefused() {
    Figure y = Figure.bars("b", "t", "x", "y", List.of("none")).logY();
    y.series("stock", List.of(0.0), List.of(0.0));
    assertEquals(
        "figure b: series \"stock\" has y = 0.0 on a logarithmic axis, which needs more than 0",
        assertThrows(IllegalArgumentException.class, () -> FigureImage.png(y)).getMessage());
    Figure x = Figure.lines("l", "t", "x", "y").logX();
    x.series("stock", List.of(0.0, 1.0), List.of(1.0, 1.0), List.of(0.0, 0.0));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> FigureImage.png(x))
            .getMessage()
            .contains("x = 0.0"));
  }

  @Test
  void aFigureWithoutSeriesIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> FigureImage.png(Figure.lines("empty", "t", "x", "y")));
  }
}
