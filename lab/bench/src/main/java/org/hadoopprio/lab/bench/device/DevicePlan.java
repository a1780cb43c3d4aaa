// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;

/**
 * What is measured and for how long.
 *
 * <p>The factor {@code load} names what a cell does; which other factors it has follows from it.
 */
record DevicePlan(boolean quick, int repetitions) {
  static final String LOAD = "load";

  /** How the requests that matter are treated: see the constants. */
  static final String PRIORITY = "priority";

  static final String SCHEDULER = "scheduler";
  static final String DEPTH = "depth";
  static final String HIGH_PERCENT = "high";

  /** Which {@link LimitedReads}. */
  static final String READS = "reads";

  /** One kind of request at queue depths. */
  static final String ALONE = "alone";

  /** Queue depth 32 of which a share has the high priority. */
  static final String SHARE = "share";

  /** One queue of which shares have duration limits: {@link LimitedReads}. */
  static final String LIMITS = "limits";

  /** An open-loop foreground beside a background at 32. */
  static final String OPEN = "open";

  /**
   * A closed-loop foreground at queue depth 1 beside a background at 32, long enough for a p99; not
   * in a quick run.
   */
  static final String TAIL = "tail";

  /** The same in virtual time, long enough for a p99.99. */
  static final String SIM = "sim";

  /** The model beside published measurements, in virtual time. */
  static final String CALIBRATION = "calibration";

  /** No priority is stated. */
  static final String STOCK = "stock";

  /** The foreground is real-time, the drive does not know priorities. */
  static final String HOST = "host";

  /** The foreground is real-time, and the drive takes it first. */
  static final String DRIVE = "drive";

  /** There is no background. */
  static final String BOUND = "bound";

  static final String NONE = "none";
  static final String MQ_DEADLINE = "mq-deadline";
  static final List<String> SCHEDULERS = List.of(NONE, MQ_DEADLINE, "bfq");

  /** The depth of every background, and of an NCQ drive. */
  static final int FULL_DEPTH = 32;

  /** Measured queue depths. */
  static final List<Integer> DEPTHS = List.of(1, 2, 3, 4, 8, 16, 32);

  private static final List<Integer> PUBLISHED_DEPTHS = List.of(1, 3, FULL_DEPTH);

  /** Measured shares of high priority, in percent. */
  static final List<Integer> HIGH_PERCENTS = List.of(20, 30, 40);

  /** The limits of a quick run, which is too short for their percentiles. */
  private static final List<LimitedReads> QUICK_LIMITS =
      List.of(LimitedReads.SDC21_THIRTY, LimitedReads.TB22_50_MS);

  /** Making and ending fio, and reading the counters. */
  private static final double OVERHEAD_S = 0.7;

  private static final double SIM_S = 4;

  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (Map<String, String> factors : combinations()) {
        cells.add(new Cell(factors, repetition, expectedSeconds(factors)));
      }
    }
    // It is the same whenever it is run.
    Map<String, String> calibration = factors(CALIBRATION);
    cells.add(new Cell(calibration, 1, expectedSeconds(calibration)));
    return cells;
  }

  private List<Map<String, String>> combinations() {
    List<Map<String, String>> all = new ArrayList<>();
    DEPTHS.forEach(depth -> all.add(alone(depth)));
    HIGH_PERCENTS.forEach(percent -> all.add(share(DRIVE, percent)));
    for (LimitedReads reads : quick ? QUICK_LIMITS : List.of(LimitedReads.values())) {
      all.add(limited(reads));
    }
    for (String scheduler : SCHEDULERS) {
      for (String priority : List.of(HOST, DRIVE)) {
        all.add(load(OPEN, scheduler, priority));
      }
    }
    for (String priority : List.of(STOCK, BOUND)) {
      all.add(load(OPEN, MQ_DEADLINE, priority));
    }
    for (String priority : List.of(HOST, DRIVE)) {
      if (!quick) {
        all.add(load(TAIL, NONE, priority));
      }
      all.add(load(SIM, NONE, priority));
      all.add(load(SIM, MQ_DEADLINE, priority));
    }
    all.add(load(SIM, MQ_DEADLINE, STOCK));
    return all;
  }

  /** Factors of a load, in order. */
  static Map<String, String> factors(String load, String... namesAndValues) {
    Map<String, String> factors = new LinkedHashMap<>();
    factors.put(LOAD, load);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      factors.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return factors;
  }

  /** The factors of reads of one kind at a depth. */
  static Map<String, String> alone(int depth) {
    return factors(ALONE, DEPTH, "qd" + depth);
  }

  /** The factors of a share of high priority at the full depth. */
  static Map<String, String> share(String priority, int percent) {
    return factors(SHARE, PRIORITY, priority, HIGH_PERCENT, "high" + percent);
  }

  /** The factors of reads of which shares have a limit. */
  static Map<String, String> limited(LimitedReads reads) {
    return factors(LIMITS, READS, reads.id());
  }

  /** The factors of a load with one foreground. */
  static Map<String, String> load(String load, String scheduler, String priority) {
    return factors(load, SCHEDULER, scheduler, PRIORITY, priority);
  }

  private double expectedSeconds(Map<String, String> factors) {
    String load = factors.get(LOAD);
    if (load.equals(SIM)) {
      return SIM_S;
    }
    if (load.equals(CALIBRATION)) {
      return SIM_S * samplesOfCalibration() / 30_000;
    }
    return seconds(factors) + TimedLoad.RAMP_SECONDS + OVERHEAD_S;
  }

  /** How long a cell on the device measures. */
  int seconds(Map<String, String> factors) {
    return switch (factors.get(LOAD)) {
      case ALONE -> secondsAlone(number(factors.get(DEPTH)));
      case SHARE -> quick ? 8 : 40;
      case LIMITS -> quick ? 8 : LimitedReads.of(factors.get(READS)).seconds();
      case OPEN -> quick ? 5 : 30;
      case TAIL -> 90;
      default -> throw new IllegalArgumentException("not on the device: " + factors);
    };
  }

  private int secondsAlone(int depth) {
    if (depth == FULL_DEPTH) {
      // For a p99 within 10 %.
      return quick ? 20 : 60;
    }
    return quick ? PUBLISHED_DEPTHS.contains(depth) ? 8 : 2 : 20;
  }

  /** Answers per workload of {@code vhdd calibrate}. */
  long samplesOfCalibration() {
    return quick ? 30_000 : 100_000;
  }

  /** The number in a factor such as {@code qd32} or {@code high20}. */
  static int number(String value) {
    return Integer.parseInt(value.replaceAll("\\D", ""));
  }

  /** What makes results comparable, for the settings of the run. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("quick", Boolean.toString(quick));
    settings.put(
        "seconds",
        combinations().stream()
            .filter(factors -> !factors.get(LOAD).equals(SIM))
            .map(factors -> name(factors) + "=" + seconds(factors))
            .distinct()
            .collect(Collectors.joining(" ")));
    settings.put("samples of calibration", Long.toString(samplesOfCalibration()));
    return settings;
  }

  private static String name(Map<String, String> factors) {
    String load = factors.get(LOAD);
    return switch (load) {
      case ALONE -> load + "-" + factors.get(DEPTH);
      case LIMITS -> load + "-" + factors.get(READS);
      default -> load;
    };
  }
}
