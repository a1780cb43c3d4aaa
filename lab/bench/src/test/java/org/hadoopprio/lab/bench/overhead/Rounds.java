package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;

/** Results with known ratios. */
final class Rounds {

  /** Of stock, where nothing else is said. */
  static final double CPU_S = 100e-6;

  private final ClientOperation operation;
  private final List<CellResult> results = new ArrayList<>();
  private final Map<Variant, double[]> rates = new EnumMap<>(Variant.class);
  private final Map<Variant, Double> cpu = new EnumMap<>(Variant.class);
  private double hint;

  Rounds(ClientOperation operation) {
    this.operation = operation;
  }

  /** Operations per second of a variant in each block of the next round. */
  Rounds rate(Variant variant, double... perBlock) {
    rates.put(variant, perBlock);
    return this;
  }

  /** CPU seconds for one operation of a variant in the next round. */
  Rounds cpu(Variant variant, double seconds) {
    cpu.put(variant, seconds);
    return this;
  }

  /** CPU seconds that a hint adds to one operation in the next round. */
  Rounds hint(double seconds) {
    hint = seconds;
    return this;
  }

  /** Ends a round; a variant that nothing was said of is like stock at 1000/s. */
  Rounds next() {
    ObjectNode measured = JsonNodeFactory.instance.objectNode();
    ObjectNode blocks = measured.putObject("blocks");
    for (Variant variant : Variant.FOR_HINTS) {
      for (double rate : rates.getOrDefault(variant, new double[] {1000, 1000})) {
        double seconds = 0.5;
        double operations = rate * seconds;
        double used = operations * cpu.getOrDefault(variant, CPU_S);
        new Block(operations, operations * (1 << 20), seconds, used * 0.6, used * 0.4)
            .write(blocks.withArray(variant.label()).addObject());
      }
    }
    double unstated = 1000 * (cpu.getOrDefault(Variant.HINTED, CPU_S) - hint);
    new Block(1000, 1000 * (1 << 20), 1, unstated * 0.6, unstated * 0.4)
        .write(blocks.withArray(OverheadExperiment.UNSTATED).addObject());
    Map<String, String> factors = Map.of(OverheadExperiment.FACTOR, operation.label());
    results.add(new CellResult(new Cell(factors, results.size() + 1, 1), measured));
    rates.clear();
    cpu.clear();
    hint = 0;
    return this;
  }

  List<CellResult> results() {
    return results;
  }

  Ratios ratios() {
    return new Ratios(operation::units, results);
  }
}
