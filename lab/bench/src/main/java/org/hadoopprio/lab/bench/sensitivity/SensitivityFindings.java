// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the results: the table and a tornado for each headline. For one use. */
final class SensitivityFindings {

  /** The parameters of a figure; those that are left out move a ratio less. */
  private static final int SHOWN = 12;

  private static final double BYTES_PER_MB = 1e6;
  private static final List<String> ENDS =
      List.of(SensitivityExperiment.LOW, SensitivityExperiment.HIGH);

  private final List<Variation> variations;
  private final List<CellResult> results;
  private final Findings findings = new Findings();

  SensitivityFindings(List<Variation> variations, List<CellResult> results) {
    this.variations = variations;
    this.results = results;
  }

  Findings findings() {
    checkLoad();
    addPreset();
    addRanges();
    for (Headline headline : Headline.values()) {
      addTornado(headline);
    }
    findings.note(
        "Left out are the processors, the network, HBase, the opening of files, the page cache and"
            + " the places of files: places are random on the whole disk. A stream on stock has one"
            + " request of 640 KiB at the disk, a stream in a turn one of 256 KiB. So the ratios of"
            + " the preset are not those that are measured; what counts is how far they move.");
    findings.note(
        "Parameters are varied one at a time. A drive with several of them at an end may be further"
            + " away, and one for which published measurements are not reproduced (last column) is"
            + " not the drive of the preset any more.");
    findings.summary(
        Stream.of(Headline.values())
            .map(headline -> headline.label() + " " + range(headline))
            .collect(Collectors.joining(", ", "hadoop-prio / stock: ", "")));
    findings.note(
        Stream.of(Headline.values())
            .map(headline -> headline.label() + " " + range(headline, this::isCalibrated))
            .collect(
                Collectors.joining(
                    ", ",
                    "Only the drives for which all gated measurements are reproduced (and what is"
                        + " not of the drive): ",
                    ".")));
    return findings;
  }

  private void checkLoad() {
    for (CellResult result : results) {
      for (Simulated.Compared system : Simulated.Compared.values()) {
        if (result.measured().at("/" + system.id() + "/overloaded").asBoolean()) {
          findings.invalid(
              result.cell() + ": more Gets arrive than the disk can answer, " + system.id());
        }
      }
    }
  }

  // --- numbers ------------------------------------------------------------------------------

  private Stream<CellResult> of(Map<String, String> factors) {
    return results.stream().filter(result -> result.cell().factors().equals(factors));
  }

  private static double ratio(CellResult result, Headline headline) {
    return result.number("/prio" + headline.path()) / result.number("/stock" + headline.path());
  }

  private Optional<Estimate> ratio(Map<String, String> factors, Headline headline) {
    List<Double> ratios =
        of(factors).map(result -> ratio(result, headline)).collect(Collectors.toList());
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(ratios));
  }

  private double mean(Map<String, String> factors, Headline headline) {
    return ratio(factors, headline).map(Estimate::mean).orElse(Double.NaN);
  }

  private double low(Variation variation, Headline headline) {
    return mean(
        SensitivityExperiment.factors(variation.key(), SensitivityExperiment.LOW), headline);
  }

  private double high(Variation variation, Headline headline) {
    return mean(
        SensitivityExperiment.factors(variation.key(), SensitivityExperiment.HIGH), headline);
  }

  /** How far a parameter moves a ratio, up or down. */
  private double swing(Variation variation, Headline headline) {
    double preset = mean(SensitivityExperiment.PRESET, headline);
    return Math.max(
        Math.abs(low(variation, headline) - preset), Math.abs(high(variation, headline) - preset));
  }

  private List<Variation> bySwing(Headline headline) {
    return variations.stream()
        .sorted(Comparator.comparingDouble(v -> -swing(v, headline)))
        .collect(Collectors.toList());
  }

  /** The ratio of the preset with its range over all parameters. */
  private String range(Headline headline) {
    return range(headline, (variation, end) -> true);
  }

  private String range(Headline headline, BiPredicate<Variation, String> wanted) {
    DoubleSummaryStatistics all = new DoubleSummaryStatistics();
    double preset = mean(SensitivityExperiment.PRESET, headline);
    all.accept(preset);
    for (Variation variation : variations) {
      for (String end : ENDS) {
        if (wanted.test(variation, end)) {
          all.accept(mean(SensitivityExperiment.factors(variation.key(), end), headline));
        }
      }
    }
    return String.format(
        "%s (%s to %s)",
        Numbers.text(preset), Numbers.text(all.getMin()), Numbers.text(all.getMax()));
  }

  // --- tables and figures -------------------------------------------------------------------

  private void addPreset() {
    ReportTable table =
        new ReportTable(
            "The drive of the preset", List.of("", "Gets' mean ms", "Gets' p99 ms", "scans MB/s"));
    for (Simulated.Compared system : Simulated.Compared.values()) {
      table.row(
          List.of(
              system.id(),
              measured(system, Headline.MEAN, 1),
              measured(system, Headline.P99, 1),
              measured(system, Headline.SCANS, 1 / BYTES_PER_MB)));
    }
    List<String> ratios = new ArrayList<>(List.of("prio / stock"));
    for (Headline headline : Headline.values()) {
      ratios.add(ratio(SensitivityExperiment.PRESET, headline).map(Estimate::toString).orElse(""));
    }
    findings.add(table.row(ratios));
  }

  private String measured(Simulated.Compared system, Headline headline, double unit) {
    List<Double> values =
        of(SensitivityExperiment.PRESET)
            .map(result -> unit * result.number("/" + system.id() + headline.path()))
            .collect(Collectors.toList());
    return values.isEmpty() ? "" : Estimate.of(values).plusMinus();
  }

  private void addRanges() {
    List<String> columns = new ArrayList<>(List.of("parameter", "low", "preset", "high"));
    for (Headline headline : Headline.values()) {
      columns.add(headline.label() + ", low");
      columns.add("high");
    }
    columns.add("gates of the calibration, low, high");
    columns.add("range from");
    ReportTable table = new ReportTable("hadoop-prio / stock at the ends of each range", columns);
    for (Variation variation : bySwing(Headline.MEAN)) {
      List<String> row = new ArrayList<>();
      row.addAll(List.of(variation.key(), variation.low(), variation.value(), variation.high()));
      for (Headline headline : Headline.values()) {
        row.add(Numbers.text(low(variation, headline)));
        row.add(Numbers.text(high(variation, headline)));
      }
      row.add(
          gates(variation, SensitivityExperiment.LOW)
              + ", "
              + gates(variation, SensitivityExperiment.HIGH));
      row.add(variation.why());
      table.row(row);
    }
    findings.add(table);
  }

  /** How many of the gated published measurements are reproduced. */
  private String gates(Variation variation, String end) {
    return calibration(variation, end)
        .map(c -> c.path("held").asInt() + "/" + c.path("gates").asInt())
        .orElse("");
  }

  private boolean isCalibrated(Variation variation, String end) {
    return calibration(variation, end)
        .map(c -> c.path("held").asInt() == c.path("gates").asInt())
        .orElse(false);
  }

  private Optional<JsonNode> calibration(Variation variation, String end) {
    return of(SensitivityExperiment.factors(variation.key(), end))
        .map(result -> result.measured().path("calibration"))
        .filter(calibration -> calibration.has("gates"))
        .findFirst();
  }

  private void addTornado(Headline headline) {
    List<Variation> shown = bySwing(headline).stream().limit(SHOWN).collect(Collectors.toList());
    if (shown.isEmpty() || of(SensitivityExperiment.PRESET).findAny().isEmpty()) {
      return;
    }
    double preset = mean(SensitivityExperiment.PRESET, headline);
    Figure figure =
        Figure.bars(
                "tornado-" + headline.id(),
                "hadoop-prio / stock: " + headline.label() + ", " + range(headline),
                "",
                headline.label() + ", hadoop-prio / stock",
                shown.stream()
                    .map(v -> v.key() + " " + v.low() + ".." + v.high())
                    .collect(Collectors.toList()))
            .tornado(preset)
            .caption(
                "Each parameter of the drive at the ends of its plausible range, one at a time; the"
                    + " bars begin at the preset. In virtual time.");
    figure.series("low", values(shown, v -> low(v, headline)), none(shown));
    figure.series("high", values(shown, v -> high(v, headline)), none(shown));
    findings.add(figure);
  }

  private static List<Double> values(
      List<Variation> variations, ToDoubleFunction<Variation> value) {
    return variations.stream()
        .map(variation -> value.applyAsDouble(variation))
        .collect(Collectors.toList());
  }

  private static List<Double> none(List<Variation> variations) {
    return values(variations, variation -> 0);
  }
}
