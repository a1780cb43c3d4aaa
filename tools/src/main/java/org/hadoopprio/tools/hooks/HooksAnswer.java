// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.hooks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hadoopprio.agent.ModuleFit;

/** What {@code hprio hooks} prints. Not thread-safe. */
final class HooksAnswer {

  private static final String STATE = "state";
  private static final String OFF = "off";

  private final List<Map<String, Object>> parts = new ArrayList<>();

  /**
   * Adds modules of the agent.
   *
   * @param program whose class files they were compared with
   */
  void add(String program, List<ModuleFit> modules) {
    for (ModuleFit fit : modules) {
      Map<String, Object> part = part(program, fit.name());
      part.put(STATE, fit.state().name().toLowerCase(Locale.ROOT));
      part.put("place", fit.place());
      part.put("hooks", fit.hooks());
      List<String> misfits = new ArrayList<>();
      fit.misfits().forEach((hook, reason) -> misfits.add(hook + ": " + reason));
      if (fit.state() == ModuleFit.State.OFF && misfits.isEmpty()) {
        misfits.add("it needs module " + fit.needs() + ", which would be off");
      }
      part.put("misfits", misfits);
      part.put("effect", fit.purpose());
    }
  }

  /** Adds the coprocessor, with what does not fit of it. */
  void addCoprocessor(List<String> misfits) {
    Map<String, Object> part = part("HBase", "hbase-prio.jar");
    part.put(STATE, misfits.isEmpty() ? "fits" : OFF);
    part.put("misfits", misfits);
    part.put("effect", "requests to the RegionServer have no priority");
  }

  /** Adds that the coprocessor could not be compared. */
  void skipCoprocessor(String reason) {
    Map<String, Object> part = part("HBase", "hbase-prio.jar");
    part.put(STATE, "skipped");
    part.put("misfits", List.of(reason));
  }

  private Map<String, Object> part(String program, String name) {
    Map<String, Object> part = new LinkedHashMap<>();
    part.put("program", program);
    part.put("part", name);
    parts.add(part);
    return part;
  }

  private long off() {
    return parts.stream().filter(part -> OFF.equals(part.get(STATE))).count();
  }

  /** Whether all fits that is there. */
  boolean isFit() {
    return off() == 0;
  }

  /** The answer for people. */
  String toText() {
    StringBuilder text = new StringBuilder();
    String newLine = System.lineSeparator();
    for (Map<String, Object> part : parts) {
      text.append(
          String.format("%-7s  %-6s  %s", part.get(STATE), part.get("program"), part.get("part")));
      Object place = part.get("place");
      if (place != null && !place.equals("")) {
        Object hooks = part.get("hooks");
        text.append(" (").append(hooks).append(hooks.equals(1) ? " hook, " : " hooks, ");
        text.append(place).append(')');
      }
      text.append(newLine);
      for (Object misfit : (List<?>) part.get("misfits")) {
        text.append(" ".repeat(17)).append(misfit).append(newLine);
      }
      if (OFF.equals(part.get(STATE))) {
        text.append(" ".repeat(17)).append("-> ").append(part.get("effect")).append(newLine);
      }
    }
    return text.append(off())
        .append(" of ")
        .append(parts.size())
        .append(" parts would be off")
        .toString();
  }

  /** The answer for programs. */
  Map<String, Object> toMap() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("java", System.getProperty("java.version"));
    all.put(OFF, off());
    all.put("parts", parts);
    return all;
  }
}
