// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.Results;

/**
 * A figure of a load, alone or divided by another one.
 *
 * @param load of which it is a figure, or {@link #ALL}
 */
record Column(String title, String load, String figure, Optional<Divisor> divisor) {

  /** The field of what was measured that has each load's figures. */
  static final String LOADS = "loads";

  /** All loads together. */
  static final String ALL = "all";

  /** The disk that all share. */
  static final String DISK = "disk";

  static final String THROUGHPUT = "mb_per_s";

  /** What the disk has read. */
  static final String READ = "read_mb_per_s";

  static final String P99 = "p99_ms";

  /** The figures that are of no single load. */
  static final Map<String, List<String>> OF_ALL = ofAll();

  private static Map<String, List<String>> ofAll() {
    Map<String, List<String>> all = new TreeMap<>();
    all.put(ALL, List.of(THROUGHPUT));
    List<String> disk = new ArrayList<>(List.of(READ));
    disk.addAll(ChargedBytes.FIGURES);
    all.put(DISK, List.copyOf(disk));
    return Collections.unmodifiableMap(all);
  }

  private static final Pattern PERCENTILE = Pattern.compile("p(\\d+)_ms");

  /** Where a figure is in what was measured. */
  static String path(String load, String figure) {
    return (OF_ALL.containsKey(load) ? "/" : "/" + LOADS + "/") + load + "/" + figure;
  }

  String path() {
    return path(load, figure);
  }

  /** Whether it is a figure as it was measured. */
  boolean isPlain() {
    return divisor.isEmpty();
  }

  /** Whether it is divided by a {@link Divisor.Part}. */
  boolean isOfPart() {
    return divisor.isPresent() && divisor.get() instanceof Divisor.Part;
  }

  /** The other system by whose figure it is divided. */
  Optional<String> reference() {
    return divisor.isPresent() && divisor.get() instanceof Divisor.OtherSystem other
        ? Optional.of(other.name())
        : Optional.empty();
  }

  /** Whether measurements of a condition have it; a load that is alone has all. */
  boolean isMeasured(Plan.Condition condition) {
    return condition.loads().keySet().containsAll(loads())
        && (!isOfPart() || condition.loads().size() > 1);
  }

  /** The loads that it has figures of. */
  List<String> loads() {
    return Stream.concat(Stream.of(load), divisor.stream().flatMap(each -> each.loads().stream()))
        .filter(each -> !OF_ALL.containsKey(each))
        .collect(Collectors.toList());
  }

  /** Its mean. */
  Optional<Estimate> estimate(String system, Measured measured) {
    return divisor.isPresent()
        ? divisor.get().ratio(this, system, measured)
        : measured.with(system).estimate(path());
  }

  /** Its mean ratio to another system's; only where it {@link #isPlain}. */
  Optional<Estimate> ratio(Results over, Results under) {
    return over.ratio(under, path());
  }

  /** From 50 to 99, and 99.9 of 999. */
  private static double percentile(String digits) {
    double number = Double.parseDouble(digits);
    return number < 100 ? number : number / 10;
  }

  /** For a table; {@code -} for a percentile of so few reads that it is chance. */
  String text(String system, Measured measured) {
    return isChance(measured.with(system))
        ? "-"
        : estimate(system, measured).map(Estimate::plusMinus).orElse("");
  }

  /** The same of {@link #ratio}. */
  String ratioText(Results over, Results under) {
    return isChance(over) || isChance(under)
        ? "-"
        : ratio(over, under).map(Estimate::plusMinus).orElse("");
  }

  private boolean isChance(Results measured) {
    Matcher percentile = PERCENTILE.matcher(figure);
    Optional<Double> reads = measured.estimate(path(load, "reads")).map(Estimate::mean);
    return percentile.matches()
        && reads.isPresent()
        && !Numbers.isKnown(percentile(percentile.group(1)), reads.get());
  }
}
