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
 * <p>Two variants are the base, such as {@link Variant#STOCK} and {@link Variant#CONTROL}. They are
 * compared with each other, and the others with the (geometric) mean of both.
 */
final class Ratios {

  private final ToDoubleFunction<Block> units;
  private final List<CellResult> rounds;
  private final List<Variant> base;

  /**
   * Takes the results of one kind of work.
   *
   * @param units how much work a block is
   * @param rounds one result for each round
   */
  Ratios(ToDoubleFunction<Block> units, List<CellResult> rounds) {
    this(units, rounds, Variant.STOCKS);
  }

  /**
   * The same with another base than stock.
   *
   * @param base two variants; the second is compared with the first, and all others with both
   */
  Ratios(ToDoubleFunction<Block> units, List<CellResult> rounds, List<Variant> base) {
    this.units = units;
    this.rounds = List.copyOf(rounds);
    this.base = List.copyOf(base);
  }

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  /** The rate of a variant divided by that of the base. */
  Estimate throughput(Variant variant) {
    return Estimate.ofLogarithms(perRound(round -> meanOfBlocks(round, variant)));
  }

  /** The CPU time of a variant for one unit of work divided by that of the base. */
  Estimate cpu(Variant variant) {
    return cpuRatio(variant, Ratios::allCpu);
  }

  /** The same of the daemon's CPU time only. */
  Estimate daemonCpuRatio(Variant variant) {
    return cpuRatio(variant, Block::daemonCpu);
  }

  private Estimate cpuRatio(Variant variant, ToDoubleFunction<Block> cpu) {
    return Estimate.ofLogarithms(
        perRound(
            round -> difference(variant, base, v -> Math.log(cpuPerUnit(round, v.label(), cpu)))));
  }

  private static double allCpu(Block block) {
    return block.daemonCpu() + block.clientCpu();
  }

  /**
   * The CPU time that a hint adds to one unit of work, in seconds: that of the variant with hints
   * less that of the same processes while they state none.
   */
  Estimate hintCpu() {
    return Estimate.of(
        perRound(
            round ->
                cpuPerUnit(round, Variant.HINTED.label(), Ratios::allCpu)
                    - cpuPerUnit(round, OverheadExperiment.UNSTATED, Ratios::allCpu)));
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
      sum += difference(variant, base, v -> logRate.applyAsDouble(v, k));
    }
    return sum / blocks;
  }

  /** A value of a variant less that of stock, or of the other stock. */
  static double difference(Variant variant, ToDoubleFunction<Variant> value) {
    return difference(variant, Variant.STOCKS, value);
  }

  private static double difference(
      Variant variant, List<Variant> base, ToDoubleFunction<Variant> value) {
    double first = value.applyAsDouble(base.get(0));
    if (variant == base.get(1)) {
      return value.applyAsDouble(variant) - first;
    }
    return value.applyAsDouble(variant) - (first + value.applyAsDouble(base.get(1))) / 2;
  }

  /** Over all blocks of a round, because the kernel counts CPU time in units of 10 ms. */
  private double cpuPerUnit(CellResult round, String label, ToDoubleFunction<Block> cpu) {
    return sum(round, label, cpu) / sum(round, label, units);
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
