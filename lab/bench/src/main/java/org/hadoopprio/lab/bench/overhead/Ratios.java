package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;

/**
 * How the variants compare in one kind of work.
 *
 * <p>In each round all processes are new, and each variant has blocks that alternate with the
 * others'. Block k of a variant is compared with block k of stock, and a round's value is the mean
 * over its blocks. <b>The interval is taken over rounds, not over blocks</b>: two JVMs that run the
 * same code settle at speeds that differ by more than the blocks of one JVM do, so an interval over
 * blocks would be too narrow.
 *
 * <p>The two sets of stock processes, {@link Variant#STOCK} and {@link Variant#CONTROL}, are
 * compared with each other, and the others with the (geometric) mean of both.
 */
final class Ratios {

  private final ToDoubleFunction<Block> units;
  private final List<CellResult> rounds;

  /**
   * Takes the results of one kind of work.
   *
   * @param units how much work a block is
   * @param rounds one result for each round
   */
  Ratios(ToDoubleFunction<Block> units, List<CellResult> rounds) {
    this.units = units;
    this.rounds = List.copyOf(rounds);
  }

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  /** The rate of a variant divided by that of stock. */
  Estimate throughput(Variant variant) {
    return Estimate.ofLogarithms(perRound(round -> meanOfBlocks(round, variant)));
  }

  /** The CPU time of a variant for one unit of work divided by that of stock. */
  Estimate cpu(Variant variant) {
    return Estimate.ofLogarithms(
        perRound(
            round ->
                difference(
                    variant,
                    v ->
                        Math.log(
                            cpuPerUnit(round, v.label(), Block::daemonCpu, Block::clientCpu)))));
  }

  /**
   * The CPU time that a hint adds to one unit of work, in seconds: that of the variant with hints
   * less that of the same processes while they state none.
   */
  Estimate hintCpu() {
    return Estimate.of(
        perRound(
            round ->
                cpuPerUnit(round, Variant.HINTED.label(), Block::daemonCpu, Block::clientCpu)
                    - cpuPerUnit(
                        round, OverheadExperiment.UNSTATED, Block::daemonCpu, Block::clientCpu)));
  }

  /** Units of work per second. */
  Estimate rate(Variant variant) {
    return Estimate.of(
        perRound(
            round ->
                sum(round, variant.label(), units) / sum(round, variant.label(), Block::seconds)));
  }

  /** The daemon's CPU time for one unit of work, in seconds. */
  Estimate daemonCpu(Variant variant) {
    return Estimate.of(perRound(round -> cpuPerUnit(round, variant.label(), Block::daemonCpu)));
  }

  /** The client's CPU time for one unit of work, in seconds. */
  Estimate clientCpu(Variant variant) {
    return Estimate.of(perRound(round -> cpuPerUnit(round, variant.label(), Block::clientCpu)));
  }

  private List<Double> perRound(ToDoubleFunction<CellResult> value) {
    return rounds.stream().map(value::applyAsDouble).collect(Collectors.toList());
  }

  private double meanOfBlocks(CellResult round, Variant variant) {
    int blocks = blocks(round, variant.label()).size();
    ToDoubleBiFunction<Variant, Integer> logRate =
        (v, k) -> {
          Block block = blocks(round, v.label()).get(k);
          return Math.log(units.applyAsDouble(block) / block.seconds());
        };
    double sum = 0;
    for (int i = 0; i < blocks; i++) {
      int k = i;
      sum += difference(variant, v -> logRate.applyAsDouble(v, k));
    }
    return sum / blocks;
  }

  /** A value of a variant less that of what it is compared with. */
  static double difference(Variant variant, ToDoubleFunction<Variant> value) {
    double stock = value.applyAsDouble(Variant.STOCK);
    if (variant == Variant.CONTROL) {
      return value.applyAsDouble(variant) - stock;
    }
    return value.applyAsDouble(variant) - (stock + value.applyAsDouble(Variant.CONTROL)) / 2;
  }

  /** Over all blocks of a round, because the kernel counts CPU time in units of 10 ms. */
  @SafeVarargs
  private double cpuPerUnit(CellResult round, String label, ToDoubleFunction<Block>... processes) {
    double cpu = 0;
    for (ToDoubleFunction<Block> process : processes) {
      cpu += sum(round, label, process);
    }
    return cpu / sum(round, label, units);
  }

  private static double sum(CellResult round, String label, ToDoubleFunction<Block> value) {
    return blocks(round, label).stream().mapToDouble(value).sum();
  }

  private static List<Block> blocks(CellResult round, String label) {
    List<Block> blocks = new ArrayList<>();
    for (JsonNode json : round.measured().path("blocks").path(label)) {
      blocks.add(Block.read(json));
    }
    if (blocks.isEmpty()) {
      throw new IllegalArgumentException(round.cell() + " has no blocks of " + label);
    }
    return blocks;
  }
}
