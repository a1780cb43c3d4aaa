// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import static org.hadoopprio.lab.bench.device.DevicePlan.ALONE;
import static org.hadoopprio.lab.bench.device.DevicePlan.BOUND;
import static org.hadoopprio.lab.bench.device.DevicePlan.DRIVE;
import static org.hadoopprio.lab.bench.device.DevicePlan.FULL_DEPTH;
import static org.hadoopprio.lab.bench.device.DevicePlan.HIGH_PERCENTS;
import static org.hadoopprio.lab.bench.device.DevicePlan.HOST;
import static org.hadoopprio.lab.bench.device.DevicePlan.LIMITS;
import static org.hadoopprio.lab.bench.device.DevicePlan.MQ_DEADLINE;
import static org.hadoopprio.lab.bench.device.DevicePlan.NONE;
import static org.hadoopprio.lab.bench.device.DevicePlan.OPEN;
import static org.hadoopprio.lab.bench.device.DevicePlan.READS;
import static org.hadoopprio.lab.bench.device.DevicePlan.SHARE;
import static org.hadoopprio.lab.bench.device.DevicePlan.SIM;
import static org.hadoopprio.lab.bench.device.DevicePlan.STOCK;
import static org.hadoopprio.lab.bench.device.DevicePlan.alone;
import static org.hadoopprio.lab.bench.device.DevicePlan.load;
import static org.hadoopprio.lab.bench.device.DevicePlan.share;
import static org.hadoopprio.lab.bench.device.DeviceResults.ALL;
import static org.hadoopprio.lab.bench.device.DeviceResults.FOREGROUND;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the device's results. For one use. */
final class DeviceFindings {

  /** The numbers of {@code vhdd calibrate} that are measured on the device too, by their names. */
  private static final Map<String, Measure> ON_DEVICE = onDevice();

  private final DeviceResults results;
  private final Findings findings = new Findings();

  DeviceFindings(List<CellResult> results) {
    this.results = new DeviceResults(results);
  }

  private static Map<String, Measure> onDevice() {
    Map<String, Measure> all = new LinkedHashMap<>();
    for (int depth : List.of(1, 3, FULL_DEPTH)) {
      all.put("128 KiB random reads, QD" + depth, new Measure(alone(depth), ALL + "/iops"));
    }
    all.put("128 KiB random reads, QD32, p99", new Measure(alone(FULL_DEPTH), ALL + "/p99_ms"));
    for (int percent : HIGH_PERCENTS) {
      all.put(
          "NCQ priority, " + percent + " % high",
          new Measure(share(DRIVE, percent), ALL + "/iops"));
    }
    all.put(
        "NCQ priority, 20 % high, p99 of high",
        new Measure(share(DRIVE, 20), ALL + "/classes/rt/p99_ms"));
    return all;
  }

  Findings findings() {
    checkGates();
    addPublished();
    DeviceLimits limits = new DeviceLimits(results);
    limits.addTo(findings);
    DeviceTail.addTo(findings, results);
    DeviceCurves.addTo(findings, results);
    DeviceForeground.addTo(findings, results);
    findings.note(
        "A result on the virtual disk shows how requests queue at a drive of this kind. It is not"
            + " evidence about a product or about the kernel's ATA layer.");
    findings.summary(summary() + "; " + limits.summary());
    return findings;
  }

  // --- validity -----------------------------------------------------------------------------

  private void checkGates() {
    for (CellResult result : results.withGate()) {
      findings.requireGate(result);
      int queue = result.measured().at("/gate/queue_max").asInt();
      if (offersFullQueue(result) && queue != FULL_DEPTH) {
        findings.invalid(
            result.cell() + ": the drive held at most " + queue + " requests, not " + FULL_DEPTH);
      }
    }
  }

  /** Not where a scheduler holds the background back: that leaves tags free. */
  private static boolean offersFullQueue(CellResult result) {
    Map<String, String> factors = result.cell().factors();
    if (factors.containsValue(ALONE)) {
      return factors.containsValue("qd" + FULL_DEPTH);
    }
    if (factors.containsValue(LIMITS)) {
      return LimitedReads.of(result.cell().factor(READS)).depth() == FULL_DEPTH;
    }
    return factors.containsValue(SHARE)
        || factors.containsValue(STOCK)
        || factors.containsValue(NONE);
  }

  // --- published numbers --------------------------------------------------------------------

  private void addPublished() {
    ReportTable table =
        new ReportTable(
            "Published numbers and ours",
            List.of(
                "source",
                "what",
                "unit",
                "published",
                "device",
                "ratio",
                "virtual time",
                "ratio",
                "reproduced"));
    for (PublishedRow row : results.published()) {
      if (DeviceLimits.covers(row)) {
        continue;
      }
      OptionalDouble device = device(row);
      double ours = device.orElse(row.model);
      table.row(
          List.of(
              row.source,
              row.what,
              row.unit,
              row.isPublished ? Numbers.text(row.published) : "not published",
              DeviceResults.text(device),
              device.isPresent() ? ratio(row, device.getAsDouble()) : "",
              Numbers.text(row.model),
              ratio(row, row.model),
              !row.isPublished ? "" : row.reproduced(ours) ? "yes" : "NO"));
      if (row.isPublished && !row.reproduced(ours)) {
        findings.note(
            String.format(
                "Not reproduced: %s is %s %s, published is %s (%s).",
                row.what, Numbers.text(ours), row.unit, Numbers.text(row.published), row.source));
      }
      if (row.gated && ON_DEVICE.containsKey(row.what)) {
        addDeviation(row);
      }
    }
    findings.add(table);
  }

  private static String ratio(PublishedRow row, double value) {
    return row.isPublished ? Numbers.text(value / row.published) : "";
  }

  private OptionalDouble device(PublishedRow row) {
    Measure measure = ON_DEVICE.get(row.what);
    return measure == null ? OptionalDouble.empty() : measure.mean(results);
  }

  private void addDeviation(PublishedRow row) {
    Measure measure = ON_DEVICE.get(row.what);
    findings.add(
        Target.of(
            row.what + ": deviation from " + Numbers.text(row.published) + " " + row.unit + " [%]",
            Target.Bound.AT_MOST,
            row.tolerance * 100,
            measure.estimate(results, value -> row.deviation(value) * 100),
            row.source));
  }

  private String summary() {
    OptionalDouble stock = results.mean(load(OPEN, MQ_DEADLINE, STOCK), FOREGROUND + "/mean_ms");
    OptionalDouble drive = results.mean(load(OPEN, MQ_DEADLINE, DRIVE), FOREGROUND + "/mean_ms");
    OptionalDouble bound = results.mean(load(OPEN, MQ_DEADLINE, BOUND), FOREGROUND + "/mean_ms");
    Optional<Estimate> tail =
        results.ratio(load(SIM, NONE, HOST), load(SIM, NONE, DRIVE), "/p99.99_ms");
    long decisive = findings.targets().stream().filter(Target::decisive).count();
    long met = findings.targets().stream().filter(t -> t.decisive() && t.met()).count();
    return String.format(
        "%d of %d targets met; p99.99 %sx lower with drive priority; open loop on mq-deadline:"
            + " mean %s ms stock, %s ms with drive priority, %s ms alone",
        met,
        decisive,
        tail.map(ratio -> Numbers.text(ratio.mean())).orElse("-"),
        DeviceResults.text(stock),
        DeviceResults.text(drive),
        DeviceResults.text(bound));
  }
}
