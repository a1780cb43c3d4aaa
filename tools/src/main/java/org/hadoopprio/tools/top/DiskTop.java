// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.top;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** Who used the disks of a DataNode between two answers of its agent. Immutable. */
final class DiskTop {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** How many are named of those who had a disk. */
  private static final int MOST_BLAMED = 5;

  private static final String ROW = "%-6s %4s %4s %5s %5s %15s %8s %8s %8s %6s";

  private final Instant time;
  private final double seconds;
  private final List<VolumeUse> volumes = new ArrayList<>();

  /**
   * The difference of two answers.
   *
   * @param before the attribute Volumes at the begin of the interval
   * @param after the attribute Volumes at its end
   * @param time the end
   * @param seconds the interval's length, more than 0
   */
  DiskTop(JsonNode before, JsonNode after, Instant time, double seconds) {
    this.time = time;
    this.seconds = seconds;
    Map<String, JsonNode> earlier = new LinkedHashMap<>();
    before.forEach(volume -> earlier.put(volume.path("volume").asText(), volume));
    for (JsonNode volume : after) {
      // The counters of a volume that was added meanwhile begin at 0.
      JsonNode then =
          earlier.getOrDefault(volume.path("volume").asText(), MissingNode.getInstance());
      volumes.add(new VolumeUse(then, volume));
    }
  }

  @JsonProperty
  String time() {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  @JsonProperty
  double seconds() {
    return seconds;
  }

  @JsonProperty
  List<VolumeUse> volumes() {
    return volumes;
  }

  /** One line for programs. */
  String toJson() throws JsonProcessingException {
    return JSON.writeValueAsString(this);
  }

  /**
   * Lines for people, the last one without an end.
   *
   * @param daemon what they are about
   * @param tenants whether each tenant of a volume has a line of its own
   * @param slow how many slow reads of a volume have one, at most
   */
  String toText(String daemon, boolean tenants, int slow) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s  %s  last %.1f s",
            daemon,
            time.truncatedTo(ChronoUnit.SECONDS),
            seconds));
    if (volumes.isEmpty()) {
      lines.add("no volumes: this is not a DataNode, or it has not reached a NameNode yet");
      return String.join(System.lineSeparator(), lines);
    }
    int width = "volume".length();
    for (VolumeUse volume : volumes) {
      width = Math.max(width, volume.volume().length());
    }
    String name = "%-" + width + "s  ";
    lines.add(
        String.format(name, "volume")
            + String.format(
                ROW,
                "mode",
                "rt%",
                "be%",
                "idle%",
                "free%",
                "wait rt/be/idle",
                "waits/s",
                "mean ms",
                "turns/s",
                "share"));
    for (VolumeUse volume : volumes) {
      String row = volume.isTurns() ? turns(volume) : withoutTurns(volume);
      lines.add(
          (String.format(name, volume.volume()) + row + "  " + volume.note()).stripTrailing());
      if (tenants && volume.isTurns()) {
        volume.tenants().forEach(tenant -> lines.add(tenant(tenant)));
      }
      volume.slowReads(slow).forEach(read -> lines.add(slow(read)));
    }
    return String.join(System.lineSeparator(), lines);
  }

  private String tenant(TenantUse tenant) {
    return String.format(
            Locale.ROOT,
            "  tenant %-20s disk %3s%% (rt %s%%)  waits/s %s  mean ms %s",
            tenant.tenant(),
            percent((double) tenant.diskMillis(), seconds * 1000),
            percent((double) tenant.realtimeDiskMillis(), seconds * 1000),
            decimal(tenant.waits() / seconds),
            tenant.waits() == 0 ? "-" : decimal(tenant.waitMillis() / (double) tenant.waits()))
        + (tenant.slow() == 0 ? "" : "  slow " + tenant.slow())
        + meanwhile(
            tenant.blamed(),
            millis -> percent((double) millis, (double) tenant.waitMillis()) + "%");
  }

  private static String slow(JsonNode read) {
    return "  slow "
        + read.path("time").asText()
        + "  "
        + read.path("tenant").asText()
        + " "
        + (read.path("priority").asText() + " " + read.path("role").asText()).stripTrailing()
        + "  waited "
        + read.path("waitMillis").asLong()
        + " ms"
        + meanwhile(
            Blame.growth(MissingNode.getInstance(), read.path("blamed")), millis -> millis + " ms");
  }

  private static String meanwhile(List<Blame> blamed, LongFunction<String> howMuch) {
    List<String> had =
        blamed.stream()
            .limit(MOST_BLAMED)
            .map(each -> each + " " + howMuch.apply(each.millis()))
            .collect(Collectors.toList());
    if (blamed.size() > MOST_BLAMED) {
      had.add(
          "others "
              + howMuch.apply(blamed.stream().skip(MOST_BLAMED).mapToLong(Blame::millis).sum()));
    }
    return had.isEmpty() ? "" : "  meanwhile had it " + String.join(", ", had);
  }

  private static String withoutTurns(VolumeUse volume) {
    return String.format(ROW, volume.mode(), "-", "-", "-", "-", "-", "-", "-", "-", "-");
  }

  private String turns(VolumeUse volume) {
    long used = 0;
    long waits = 0;
    long waitMillis = 0;
    for (ClassUse each : volume.classes()) {
      used += each.diskMillis();
      waits += each.waits();
      waitMillis += each.waitMillis();
    }
    // Several reads can be at the disk together, which then have more time than has passed.
    double whole = Math.max(seconds * 1000, (double) used);
    return String.format(
        Locale.ROOT,
        ROW,
        volume.mode(),
        percent((double) volume.realtime().diskMillis(), whole),
        percent((double) volume.bestEffort().diskMillis(), whole),
        percent((double) volume.idle().diskMillis(), whole),
        percent(whole - used, whole),
        volume.realtime().waiting()
            + "/"
            + volume.bestEffort().waiting()
            + "/"
            + volume.idle().waiting(),
        decimal(waits / seconds),
        waits == 0 ? "-" : decimal(waitMillis / (double) waits),
        decimal(volume.turns() / seconds),
        String.format(Locale.ROOT, "%.2f", volume.realtimeShare()));
  }

  private static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.0f", 100 * part / whole);
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}
