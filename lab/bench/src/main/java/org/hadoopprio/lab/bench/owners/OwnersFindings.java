// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import static org.hadoopprio.lab.bench.experiment.Target.Bound.AT_LEAST;
import static org.hadoopprio.lab.bench.experiment.Target.Bound.AT_MOST;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the requests that the disks have seen. */
final class OwnersFindings {

  private static final double MIB = 1 << 20;
  private static final double MAX_READ_PERCENT = 2;
  private static final double MAX_WRITE_PERCENT = 5;
  private static final double NEARLY_ALL_PERCENT = 95;
  private static final String SOURCE = "every byte has an owner";
  private static final String READ = "read";
  private static final String WRITE = "write";

  /** Requests that are alike, in the sum of all disks and all repetitions. */
  private static final class Row {
    private final Owner.Request request;
    private final long requests;
    private final long bytes;

    Row(JsonNode row) {
      request =
          new Owner.Request(
              row.path("direction").asText().equals(READ),
              row.path("operation").asText(),
              row.path("priority").asText(),
              row.path("comm").asText());
      requests = row.path("requests").asLong();
      bytes = row.path("bytes").asLong();
    }

    Owner owner() {
      return Owner.of(request);
    }

    boolean isRead() {
      return request.isRead();
    }

    boolean isSynchronous() {
      return request.isSynchronous();
    }
  }

  private final List<CellResult> results;
  private final List<Row> rows;
  private final Findings findings = new Findings();

  OwnersFindings(List<CellResult> results) {
    this.results = results;
    this.rows = rows(results);
  }

  private static List<Row> rows(List<CellResult> results) {
    List<Row> rows = new ArrayList<>();
    for (CellResult result : results) {
      result.measured().path("requests").forEach(row -> rows.add(new Row(row)));
    }
    return rows;
  }

  Findings draw() {
    addGate();
    addOwners();
    addSynchronous();
    addNobody();
    addTargets();
    return findings;
  }

  private void addGate() {
    for (CellResult result : results) {
      if (result.number("/lost_events") > 0) {
        findings.invalid(result.cell() + ": events of the block trace were lost");
      }
    }
  }

  private static long bytes(List<Row> rows, Predicate<Row> which) {
    return rows.stream().filter(which).mapToLong(row -> row.bytes).sum();
  }

  private static String mib(long bytes) {
    return Numbers.fixed(bytes / MIB, 1);
  }

  private static double percent(long part, long all) {
    return all == 0 ? 0 : 100.0 * part / all;
  }

  private static String share(long part, long all) {
    return Numbers.fixed(percent(part, all), 2) + " %";
  }

  private void addOwners() {
    ReportTable table =
        new ReportTable(
            "Whose are the bytes",
            List.of("owner", "priority", "direction", "requests", "MiB", "share of the direction"));
    for (boolean read : new boolean[] {true, false}) {
      long all = bytes(rows, row -> row.isRead() == read);
      for (Owner owner : Owner.values()) {
        List<Row> own =
            rows.stream()
                .filter(row -> row.isRead() == read && row.owner() == owner)
                .collect(Collectors.toList());
        if (owner.does(read)) {
          long bytes = bytes(own, row -> true);
          table.row(
              List.of(
                  owner.label(),
                  owner == Owner.UNASKED ? "any other" : owner.priority().toString(),
                  read ? READ : WRITE,
                  Long.toString(own.stream().mapToLong(row -> row.requests).sum()),
                  mib(bytes),
                  share(bytes, all)));
        }
      }
      table.row(List.of("all", "", read ? READ : WRITE, requests(read), mib(all), share(all, all)));
    }
    findings.add(table);
  }

  private String requests(boolean read) {
    return Long.toString(
        rows.stream().filter(row -> row.isRead() == read).mapToLong(row -> row.requests).sum());
  }

  private void addSynchronous() {
    Predicate<Row> synchronous = row -> !row.isRead() && row.isSynchronous();
    long all = bytes(rows, synchronous);
    ReportTable table =
        new ReportTable("Synchronous writes (flag S)", List.of("owner", "MiB", "share"));
    for (Owner owner : Owner.values()) {
      long bytes = bytes(rows, synchronous.and(row -> row.owner() == owner));
      if (bytes > 0) {
        table.row(List.of(owner.label(), mib(bytes), share(bytes, all)));
      }
    }
    findings.add(table.row(List.of("all", mib(all), share(all, all))));
  }

  private void addNobody() {
    ReportTable table =
        new ReportTable(
            "Requests without an owner",
            List.of("direction", "operation", "priority", "thread", "requests", "MiB", "share"));
    rows.stream()
        .filter(row -> row.owner().isNobody())
        .collect(Collectors.groupingBy(row -> row.request))
        .values()
        .stream()
        .sorted(Comparator.comparingLong(same -> -bytes(same, row -> true)))
        .forEach(
            same -> {
              Row one = same.get(0);
              long bytes = bytes(same, row -> true);
              table.row(
                  List.of(
                      one.isRead() ? READ : WRITE,
                      one.request.operation(),
                      one.request.priority(),
                      one.request.comm(),
                      Long.toString(same.stream().mapToLong(row -> row.requests).sum()),
                      mib(bytes),
                      share(bytes, bytes(rows, row -> row.isRead() == one.isRead()))));
            });
    findings.add(table);
  }

  private void addTargets() {
    Target reads =
        target(
            "reads without an owner, % of bytes read",
            AT_MOST, MAX_READ_PERCENT, own -> unowned(own, Row::isRead));
    Target writes =
        target(
            "synchronous writes without an owner, % of their bytes",
            AT_MOST,
            MAX_WRITE_PERCENT,
            own -> unowned(own, row -> !row.isRead() && row.isSynchronous()));
    findings.add(reads).add(writes);
    findings.add(
        target(
            "bytes at a priority that nobody has",
            AT_MOST,
            0,
            own -> bytes(own, row -> row.owner() == Owner.UNASKED)));
    findings.add(
        target(
                "owners of which the disks have seen nothing",
                AT_MOST,
                0,
                own ->
                    Arrays.stream(Owner.values())
                        .filter(Owner::isExpected)
                        .filter(owner -> bytes(own, row -> row.owner() == owner) == 0)
                        .count())
            // What is written in small pieces is left to the kernel.
            .reportedOnly());
    findings.add(
        measured(
            "the open file at its priority on the DataNode that came for the killed one, %",
            AT_LEAST,
            NEARLY_ALL_PERCENT,
            result ->
                100 * result.number("/pipeline_bytes") / result.number("/pipeline_file_bytes")));
    findings.add(
        measured(
            "files, rows and outputs that are not as written",
            AT_MOST,
            0,
            result ->
                result.number("/files/failures")
                    + result.number("/hbase/failures")
                    + result.number("/counts/failures")));
    findings.summary(
        "without an owner are "
            + reads.estimate().map(Estimate::toString).orElse("?")
            + " % of the bytes read and "
            + writes.estimate().map(Estimate::toString).orElse("?")
            + " % of those written synchronously");
  }

  private static double unowned(List<Row> rows, Predicate<Row> which) {
    return percent(bytes(rows, which.and(row -> row.owner().isNobody())), bytes(rows, which));
  }

  private Target target(
      String what, Target.Bound bound, double required, ToDoubleFunction<List<Row>> value) {
    return measured(what, bound, required, result -> value.applyAsDouble(rows(List.of(result))));
  }

  private Target measured(
      String what, Target.Bound bound, double required, ToDoubleFunction<CellResult> value) {
    List<Double> values = results.stream().map(value::applyAsDouble).collect(Collectors.toList());
    return Target.of(
        what,
        bound,
        required,
        values.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(values)),
        SOURCE);
  }
}
