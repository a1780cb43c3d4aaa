// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class FigureImageTest {

  private static final int FIRST_COLOUR = 0xFF0072B2;
  private static final int SECOND_COLOUR = 0xFFD55E00;
  private static final List<Double> ZERO = List.of(0.0, 0.0);

  private static BufferedImage draw(Figure... figures) throws IOException {
    return ImageIO.read(new ByteArrayInputStream(FigureImage.png(List.of(figures))));
  }

  private static boolean has(BufferedImage image, int colour) {
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        if ((image.getRGB(x, y) | 0xFF000000) == colour) {
          return true;
        }
      }
    }
    return false;
  }

  private static void assertDrawn(Figure figure) throws IOException {
    BufferedImage image = draw(figure);
    assertTrue(has(image, FIRST_COLOUR), figure.id());
    assertTrue(has(image, SECOND_COLOUR), figure.id());
  }

  @Test
  void eachStyleShowsItsSeries() throws IOException {
    List<Double> x = List.of(1.0, 10.0, 100.0);
    List<Double> error = List.of(0.0, 2.0, 30.0);
    for (Figure figure :
        List.of(
            Figure.lines("lines", "It's \"so\"", "x", "ms").logX(),
            Figure.lines("log", "Log", "x", "ms").logX().logY(),
            Figure.curves("curves", "Curves", "x", "%"))) {
      assertDrawn(figure.series("a", x, x, error).series("b", x, List.of(3.0, 3.0, 3.0), error));
    }
    List<String> categories = List.of("none, \"stock\"", "rt");
    for (Figure figure :
        List.of(
            Figure.bars("bars", "Bars", "", "ms", categories),
            Figure.bars("bars-log", "Bars", "", "ms", categories).logY(),
            Figure.bars("tornado", "Tornado", "", "ratio", categories).tornado(2))) {
      assertDrawn(figure.series("a", List.of(1.0, 5.0), ZERO).series("b", List.of(9.0, 3.0), ZERO));
    }
  }

  @Test
  void figuresBesideOneAnotherAreOnePicture() throws IOException {
    Figure bars = Figure.bars("b", "t", "", "y", List.of("c", "d"));
    bars.series("a", List.of(1.0, 2.0), ZERO);
    Figure other = Figure.bars("o", "t", "", "y", List.of("c", "d"));
    other.series("a", List.of(1.0, 2.0), ZERO);
    assertEquals(1720, draw(bars).getWidth());
    assertEquals(2360, draw(bars, other).getWidth());
  }

  @Test
  void whatALogarithmicAxisCannotShowIsLeftOut() throws IOException {
    List<Double> x = List.of(1.0, 2.0);
    assertDrawn(
        Figure.lines("l", "t", "x", "y")
            .logY()
            .series("a", x, List.of(0.0, 5.0), ZERO)
            .series("b", x, List.of(4.0, 2.0), ZERO));
  }

  @Test
  void aFigureWithNothingToShowIsAnError() {
    Figure empty = Figure.lines("empty", "t", "x", "y");
    String said = assertThrows(IOException.class, () -> draw(empty)).getMessage();
    assertEquals("figure empty has no series", said);
    Figure nothing = Figure.lines("zero", "t", "x", "y").logY();
    nothing.series("a", List.of(1.0, 2.0), ZERO, ZERO);
    String gnuplot = assertThrows(IOException.class, () -> draw(nothing)).getMessage();
    assertTrue(gnuplot.contains("all points y value undefined"), gnuplot);
  }
}
