// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.List;
import org.hadoopprio.lab.bench.experiment.Results;

/**
 * What was measured under a condition. Immutable.
 *
 * @param results of all cells
 * @param condition its name
 */
record Measured(Plan plan, Results results, String condition) {

  /** With a system. */
  Results with(String system) {
    return results.of(
        cell ->
            cell.factor(PlanFindings.CONDITION).equals(condition)
                && cell.factor(PlanFindings.SYSTEM).equals(system));
  }

  /** The loads that run with a system. */
  List<String> loads(String system) {
    return plan.conditions().get(condition).loads(plan.systems().get(system));
  }

  /** What was measured with a system where one of these loads is alone; none if it is nowhere. */
  Results alone(String load, String system) {
    return Plan.alone(plan.conditions(), condition, load, system)
        .map(name -> new Measured(plan, results, name).with(system))
        .orElse(new Results(List.of()));
  }
}
