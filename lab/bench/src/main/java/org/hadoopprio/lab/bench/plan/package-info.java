// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments that are data: a {@link org.hadoopprio.lab.bench.plan.Plan} names cluster, data,
 * loads, systems, columns and targets, {@link org.hadoopprio.lab.bench.plan.PlanReader} reads it,
 * and {@link org.hadoopprio.lab.bench.plan.PlanExperiment} measures it and says what follows.
 */
package org.hadoopprio.lab.bench.plan;
