package org.hadoopprio.bench.demo;

import java.util.ArrayList;
import java.util.List;

/** A table for people: the first columns to the left, the others to the right. */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();
  private final int leftColumns;

  /**
   * Begins a table with the names of its columns.
   *
   * @param leftColumns how many columns stand to the left
   */
  public TextTable(int leftColumns, String... names) {
    this.leftColumns = leftColumns;
    rows.add(names);
  }

  /** Adds a row; it has as many cells as the table has columns. */
  public TextTable row(String... cells) {
    if (cells.length != rows.get(0).length) {
      throw new IllegalArgumentException(
          cells.length + " cells in a table of " + rows.get(0).length + " columns");
    }
    rows.add(cells);
    return this;
  }

  /** The lines, each ended by a line break. */
  @Override
  public String toString() {
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String padding = " ".repeat(widths[i] - row[i].length());
        line.append(i == 0 ? "" : GAP)
            .append(i < leftColumns ? row[i] + padding : padding + row[i]);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
