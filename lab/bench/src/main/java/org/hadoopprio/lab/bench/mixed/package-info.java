// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment on mixed work: HBase Gets beside work that reads as much as it can get, on one
 * disk. {@link org.hadoopprio.lab.bench.mixed.MixedExperiment} is the entry, {@code MixedPlan} what
 * is measured, {@code MixedBed} the cluster, {@code CellRun} one measurement and {@code
 * MixedFindings} what follows.
 */
package org.hadoopprio.lab.bench.mixed;
