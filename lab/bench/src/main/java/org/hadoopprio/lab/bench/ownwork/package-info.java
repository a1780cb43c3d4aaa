// SPDX-License-Identifier: Apache-2.0
/**
 * The experiments on what a cluster does of its own accord, stock and in the profiles of
 * hadoop-prio: {@link org.hadoopprio.lab.bench.ownwork.PutsExperiment} has Puts beside compactions,
 * {@link org.hadoopprio.lab.bench.ownwork.RebuildExperiment} reads beside the copying of lost
 * replicas. {@code OwnWorkBed} measures.
 */
package org.hadoopprio.lab.bench.ownwork;
