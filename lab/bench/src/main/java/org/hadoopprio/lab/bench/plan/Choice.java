// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What of a plan is measured, and how often.
 *
 * @param seconds how long each condition is measured, if it is
 * @param systems with which each condition is measured that is not left out
 * @param drive the name of the drive's setting; empty if the plan has none
 */
public record Choice(
    Map<String, Integer> seconds,
    Map<String, List<String>> systems,
    String drive,
    int repetitions) {

  /**
   * What a user asks for; what is empty is as the plan has it.
   *
   * @param conditions names of conditions or of groups of them
   */
  public record Wish(
      boolean quick,
      List<String> conditions,
      List<String> systems,
      Optional<Integer> seconds,
      Optional<String> drive) {}

  /**
   * The part of a plan that somebody asks for.
   *
   * @throws IllegalArgumentException naming what the plan does not have, and what it has, or if
   *     nothing is left to measure
   */
  public static Choice of(Plan plan, Wish wish, int repetitions) {
    Set<String> names = new LinkedHashSet<>(plan.groups().keySet());
    require("condition", wish.conditions(), names);
    require("system", wish.systems(), plan.systems().keySet());
    Set<String> drives = plan.cluster().drives().keySet();
    require("setting of the drive", wish.drive().map(List::of).orElse(List.of()), drives);
    Map<String, Integer> seconds = new LinkedHashMap<>();
    Map<String, List<String>> systems = new LinkedHashMap<>();
    plan.conditions()
        .forEach(
            (name, condition) -> {
              int usual = wish.quick() ? condition.quick().seconds() : condition.seconds();
              seconds.put(name, wish.seconds().orElse(usual));
              if (isChosen(condition, wish)) {
                systems.put(name, systems(condition, wish));
              }
            });
    systems.values().removeIf(List::isEmpty);
    if (systems.isEmpty()) {
      throw new IllegalArgumentException(
          "no condition that is asked for is measured with a system that is; the plan has "
              + with(plan));
    }
    String drive = wish.drive().orElse(drives.stream().findFirst().orElse(""));
    return new Choice(seconds, systems, drive, repetitions);
  }

  /** The systems of each group of conditions, for people. */
  private static String with(Plan plan) {
    Map<String, List<String>> systems = new LinkedHashMap<>();
    plan.conditions().values().forEach(each -> systems.put(each.group(), each.systems()));
    return systems.toString();
  }

  private static void require(String what, List<String> names, Collection<String> known) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "no " + what + " \"" + name + "\"; allowed: " + String.join(", ", known));
      }
    }
  }

  private static boolean isChosen(Plan.Condition condition, Wish wish) {
    boolean named = wish.conditions().contains(condition.group());
    if (!wish.quick()) {
      return named || wish.conditions().isEmpty();
    }
    boolean byDefault = wish.conditions().isEmpty() && condition.quick().byDefault();
    return condition.quick().value() && (named || byDefault);
  }

  private static List<String> systems(Plan.Condition condition, Wish wish) {
    boolean quick = wish.quick() && wish.systems().isEmpty();
    List<String> systems =
        new ArrayList<>(quick ? condition.quick().systems() : condition.systems());
    if (!wish.systems().isEmpty()) {
      systems.retainAll(wish.systems());
    }
    return systems;
  }

  /** Whether the drive is set as it is where nobody asks for another setting. */
  public boolean hasUsualDrive(Plan plan) {
    return drive.equals(plan.cluster().drives().keySet().stream().findFirst().orElse(""));
  }
}
