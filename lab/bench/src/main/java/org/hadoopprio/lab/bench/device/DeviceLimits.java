// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import static org.hadoopprio.lab.bench.device.DevicePlan.DRIVE;
import static org.hadoopprio.lab.bench.device.DevicePlan.share;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** Command duration limits: what was published, the device, and the model in virtual time. */
final class DeviceLimits {

  /** How far a number may be from the published one, as a share of it. */
  private static final double TOLERANCE = 0.1;

  /** The numbers of {@code vhdd calibrate} about limits, by their names. */
  private static final Map<String, Measure> LIMITED = limited();

  /** The same shares with NCQ priority, which the talk compares with. */
  private static final Map<String, Measure> COMPARED =
      Map.of(
          "NCQ priority, 30 % high", new Measure(share(DRIVE, 30), DeviceResults.ALL + "/iops"),
          "NCQ priority, 40 % high", new Measure(share(DRIVE, 40), DeviceResults.ALL + "/iops"));

  private final DeviceResults results;

  /** How many numbers of {@link #LIMITED} were compared, and how many are within the tolerance. */
  private int compared;

  private int within;

  DeviceLimits(DeviceResults results) {
    this.results = results;
  }

  /** Whether this part shows the number, and no other needs to. */
  static boolean covers(PublishedRow row) {
    return LIMITED.containsKey(row.what);
  }

  /** The names of the numbers that it shows. */
  static Set<String> names() {
    return Collections.unmodifiableSet(LIMITED.keySet());
  }

  private static Map<String, Measure> limited() {
    Map<String, Measure> all = new LinkedHashMap<>();
    all.put("CDL, 30 % with a limit", LimitedReads.SDC21_THIRTY.iops());
    all.put("CDL, 40 % with one of three limits", LimitedReads.SDC21_FORTY.iops());
    all.put("22 TB, QD1", LimitedReads.TB22_QD1.iops());
    all.put("22 TB, QD4", LimitedReads.TB22_QD4.iops());
    all.put("22 TB, QD4, p99", LimitedReads.TB22_QD4.rest("p99_ms"));
    all.put("22 TB, QD16", LimitedReads.TB22_QD16.iops());
    all.put("22 TB, QD16, p99", LimitedReads.TB22_QD16.rest("p99_ms"));
    all.put("22 TB, QD32", LimitedReads.TB22_QD32.iops());
    all.put("22 TB, QD32, p99", LimitedReads.TB22_QD32.rest("p99_ms"));
    String fifty = "22 TB, QD32, 20 % at 50 ms";
    all.put(fifty, LimitedReads.TB22_50_MS.iops());
    all.put(fifty + ": mean of these", LimitedReads.TB22_50_MS.limited(50, "mean_ms"));
    all.put(fifty + ": p99 of these", LimitedReads.TB22_50_MS.limited(50, "p99_ms"));
    all.put(fifty + ": p99.99 of these", LimitedReads.TB22_50_MS.limited(50, "p99.99_ms"));
    all.put(fifty + ": p99 of the rest", LimitedReads.TB22_50_MS.rest("p99_ms"));
    all.put(
        "22 TB, QD4, 10 % at 100 ms, 20 % at 300 ms: p99 at 100 ms",
        LimitedReads.TB22_TWO_QD4.limited(100, "p99_ms"));
    all.put(
        "22 TB, QD4, the same: p99 at 300 ms", LimitedReads.TB22_TWO_QD4.limited(300, "p99_ms"));
    for (LimitedReads reads : List.of(LimitedReads.TB22_TWO_QD8, LimitedReads.TB22_TWO_QD32)) {
      String name = "22 TB, QD" + reads.depth() + ", the same: p99 ";
      all.put(name + "at 100 ms", reads.limited(100, "p99_ms"));
      all.put(name + "at 300 ms", reads.limited(300, "p99_ms"));
      all.put(name + "of the rest", reads.rest("p99_ms"));
    }
    return all;
  }

  void addTo(Findings findings) {
    ReportTable table =
        new ReportTable(
            "Command duration limits: published and measured",
            List.of(
                "source",
                "what",
                "unit",
                "published",
                "measured",
                "ratio",
                "virtual time",
                "ratio",
                "verdict"));
    for (PublishedRow row : results.published()) {
      if (COMPARED.containsKey(row.what)) {
        table.row(cells(row, COMPARED.get(row.what)));
      } else if (covers(row)) {
        table.row(cells(row, LIMITED.get(row.what)));
        judge(findings, row);
      }
    }
    findings.add(table);
    addFigure(findings);
    if (results.published().isEmpty()) {
      return;
    }
    requireRows(findings);
    findings.note(
        "Duration limits: the shares of the three limits are not published. Here 10 % of the reads"
            + " have 30 ms, 10 % have 100 ms and 20 % have 200 ms. All limits are guidelines;"
            + " policy 0xF is not played.");
  }

  /** A name that has changed there would leave a number out without a word. */
  private void requireRows(Findings findings) {
    Set<String> known =
        results.published().stream().map(row -> row.what).collect(Collectors.toSet());
    for (String name : LIMITED.keySet()) {
      if (!known.contains(name)) {
        findings.invalid("vhdd calibrate has no row \"" + name + "\"");
      }
    }
  }

  private List<String> cells(PublishedRow row, Measure measure) {
    OptionalDouble device = measure.mean(results);
    return List.of(
        row.source,
        row.what,
        row.unit,
        Numbers.text(row.published),
        DeviceResults.text(device),
        device.isPresent() ? Numbers.threeDigits(device.getAsDouble() / row.published) : "",
        Numbers.text(row.model),
        Numbers.threeDigits(row.model / row.published),
        verdict(row, device));
  }

  private static boolean isWithin(PublishedRow row, double value) {
    return row.deviation(value) <= TOLERANCE;
  }

  private static String verdict(PublishedRow row, OptionalDouble device) {
    String where = device.isPresent() ? "" : ", in virtual time only";
    return (isWithin(row, device.orElse(row.model)) ? "within 10 %" : "MISSED") + where;
  }

  private void judge(Findings findings, PublishedRow row) {
    Measure measure = LIMITED.get(row.what);
    OptionalDouble device = measure.mean(results);
    double ours = device.orElse(row.model);
    compared++;
    if (isWithin(row, ours)) {
      within++;
    } else {
      findings.note(
          String.format(
              "Duration limits, missed by more than 10 %%: %s is %s %s, published is %s; %s.",
              row.what,
              Numbers.text(ours),
              row.unit,
              Numbers.text(row.published),
              reason(row, device)));
    }
    if (row.gated) {
      findings.add(
          Target.of(
              String.format(
                  "%s: deviation from %s %s [%%]", row.what, Numbers.text(row.published), row.unit),
              Target.Bound.AT_MOST,
              TOLERANCE * 100,
              measure.estimate(results, value -> row.deviation(value) * 100),
              row.source));
    }
  }

  /** Whose miss it is: the model's, which virtual time shows, or this measurement's. */
  private static String reason(PublishedRow row, OptionalDouble device) {
    if (device.isEmpty()) {
      return "this is the model in virtual time, it was not measured on the device";
    }
    return String.format(
        isWithin(row, row.model)
            ? "the model is within 10 %% in virtual time, %s"
            : "the model misses it in virtual time, too, %s",
        Numbers.text(row.model));
  }

  /** How many of the numbers are within the tolerance, for the summary. */
  String summary() {
    return within + " of " + compared + " published numbers of duration limits within 10 %";
  }

  /** The 99th percentiles of the two limits over queue depth, of which all rows were measured. */
  private void addFigure(Findings findings) {
    List<PublishedRow> rows =
        results.published().stream()
            .filter(row -> covers(row) && row.what.matches(".*(300 ms: p99|the same: p99).*"))
            .collect(Collectors.toList());
    if (rows.isEmpty()) {
      return;
    }
    Figure figure =
        Figure.bars(
                "limits-p99",
                "10 % of the reads at 100 ms, 20 % at 300 ms",
                "queue depth, limit",
                "p99 [ms]",
                rows.stream()
                    .map(row -> row.what.replaceAll("22 TB, (QD\\d+),.* p99 (at|of the) ", "$1, "))
                    .collect(Collectors.toList()))
            .caption(
                "99th percentiles of reads with limits of 100 and 300 ms and of the rest, in one"
                    + " queue: published by cdl-tools, the model in virtual time, and the virtual"
                    + " disk.");
    Series.addBars(figure, "published", rows.stream().map(row -> single(row.published)));
    Series.addBars(figure, "virtual time", rows.stream().map(row -> single(row.model)));
    Series.addBars(
        figure,
        "virtual disk",
        rows.stream().map(row -> LIMITED.get(row.what).estimate(results, value -> value)));
    findings.add(figure);
  }

  private static Optional<Estimate> single(double value) {
    return Optional.of(Estimate.of(List.of(value)));
  }
}
