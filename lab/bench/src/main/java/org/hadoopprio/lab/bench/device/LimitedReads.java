// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.disk.VirtualDisk;

/**
 * The published loads with command duration limits: random reads at a queue depth, of which shares
 * have a limit each, and what they are compared with. The drive is {@code sdc21} or {@code
 * cdltools23}; the shares and limits are those of {@code vhdd calibrate}.
 */
@SuppressWarnings("ImmutableEnumChecker") // the list comes from List.of
enum LimitedReads {
  SDC21_THIRTY(VirtualDisk.PRESET, 32, 60, limit(10, 100), limit(20, 200)),
  SDC21_FORTY(VirtualDisk.PRESET, 32, 60, limit(10, 30), limit(10, 100), limit(20, 200)),
  TB22_QD1(LimitedReads.TB22, 1, 30),
  TB22_QD4(LimitedReads.TB22, 4, 60),
  TB22_QD16(LimitedReads.TB22, 16, 60),
  TB22_QD32(LimitedReads.TB22, 32, 60),
  TB22_50_MS(LimitedReads.TB22, 32, 60, limit(20, 50)),
  // A p99 takes 1000 reads of the smaller share.
  TB22_TWO_QD4(LimitedReads.TB22, 4, 120, limit(10, 100), limit(20, 300)),
  TB22_TWO_QD8(LimitedReads.TB22, 8, 110, limit(10, 100), limit(20, 300)),
  TB22_TWO_QD32(LimitedReads.TB22, 32, 80, limit(10, 100), limit(20, 300));

  /** The preset of the drive of 22 TB that cdl-tools has measured. */
  static final String TB22 = "cdltools23";

  /** Best effort at its middle level, as a request without a priority; the descriptor follows. */
  private static final String PRIORITY = "be:4+";

  /** A share of the reads with a limit. */
  private record Limit(int percent, int milliseconds) {}

  private final String preset;
  private final int depth;
  private final int seconds;
  private final List<Limit> limits;

  LimitedReads(String preset, int depth, int seconds, Limit... limits) {
    this.preset = preset;
    this.depth = depth;
    this.seconds = seconds;
    this.limits = List.of(limits);
  }

  private static Limit limit(int percent, int milliseconds) {
    return new Limit(percent, milliseconds);
  }

  /** The one with this {@link #id}. */
  static LimitedReads of(String id) {
    for (LimitedReads reads : values()) {
      if (reads.id().equals(id)) {
        return reads;
      }
    }
    throw new IllegalArgumentException("no reads with limits are called " + id);
  }

  /** Its name as a factor: {@code cdltools23-qd4-10at100ms-20at300ms}. */
  String id() {
    StringBuilder id = new StringBuilder(preset + "-qd" + depth);
    limits.forEach(limit -> id.append("-" + limit.percent + "at" + limit.milliseconds + "ms"));
    return id.toString();
  }

  String preset() {
    return preset;
  }

  int depth() {
    return depth;
  }

  /** How long a full run measures. */
  int seconds() {
    return seconds;
  }

  /** The model's parameters: descriptor N has the Nth limit. */
  Map<String, String> model() {
    Map<String, String> model = new LinkedHashMap<>();
    model.put("mode", "cdl");
    for (int i = 0; i < limits.size(); i++) {
      model.put("cdl" + (i + 1) + "_guideline_ns", limits.get(i).milliseconds + "ms");
    }
    return model;
  }

  /** The options of {@code vhdd reads}. */
  List<String> options() {
    List<String> options = new ArrayList<>(List.of("--depth=" + depth));
    for (int i = 0; i < limits.size(); i++) {
      options.add("--share=" + limits.get(i).percent / 100.0 + "," + PRIORITY + (i + 1));
    }
    return options;
  }

  /** Where all reads' throughput is. */
  Measure iops() {
    return measure("/iops");
  }

  /**
   * Where a latency of the reads with a limit is.
   *
   * @param milliseconds the limit
   * @param name such as {@code p99_ms}
   */
  Measure limited(int milliseconds, String name) {
    for (int i = 0; i < limits.size(); i++) {
      if (limits.get(i).milliseconds == milliseconds) {
        return measure("/classes/" + PRIORITY + (i + 1) + "/" + name);
      }
    }
    throw new IllegalArgumentException("no limit of " + milliseconds + " ms in " + id());
  }

  /** Where a latency of the reads without a limit is. */
  Measure rest(String name) {
    return measure("/classes/none/" + name);
  }

  private Measure measure(String pointer) {
    return new Measure(DevicePlan.limited(this), DeviceResults.ALL + pointer);
  }
}
